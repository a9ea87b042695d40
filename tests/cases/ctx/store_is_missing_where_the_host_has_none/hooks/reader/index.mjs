export default {
  async run(point, payload, ctx) {
    ctx.log(typeof ctx.store);
    return { action: "allow" };
  },
};
