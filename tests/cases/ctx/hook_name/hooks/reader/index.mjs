export default {
  async run(point, payload, ctx) {
    ctx.log(ctx.hookName);
    return { action: "allow" };
  },
};
