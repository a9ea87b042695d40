export default {
  async run(point, payload, ctx) {
    ctx.log(JSON.stringify(ctx.env));
    return { action: "allow" };
  },
};
