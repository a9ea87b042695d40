export default {
  async run(point, payload, ctx) {
    ctx.log(JSON.stringify(ctx.caller));
    return { action: "allow" };
  },
};
