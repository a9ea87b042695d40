export default {
  async run(point, payload, ctx) {
    ctx.log(point);
    return { action: "allow" };
  },
};
