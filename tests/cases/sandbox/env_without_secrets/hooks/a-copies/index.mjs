export default {
  run(point, payload, ctx) {
    ctx.log(JSON.stringify({ ...ctx }));
    return { action: 'allow' };
  },
};
