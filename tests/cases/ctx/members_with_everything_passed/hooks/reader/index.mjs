export default {
  async run(point, payload, ctx) {
    ctx.log(Object.keys(ctx).sort().join(" "));
    return { action: "allow" };
  },
};
