export default {
  async run(point, payload, ctx) {
    return { action: 'block', reason: String(ctx.store) };
  },
};
