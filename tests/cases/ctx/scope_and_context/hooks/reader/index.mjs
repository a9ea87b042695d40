export default {
  async run(point, payload, ctx) {
    ctx.log(ctx.scopeId);
    ctx.log(JSON.stringify(ctx.context));
    return { action: "allow" };
  },
};
