export default {
  run(point, payload, ctx) {
    return { action: 'block', reason: ctx.env.TOKEN };
  },
};
