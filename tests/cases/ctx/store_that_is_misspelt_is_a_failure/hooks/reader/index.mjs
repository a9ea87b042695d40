export default {
  async run(point, payload, ctx) {
    await ctx.store.get("member", "u1");
    return { action: "allow" };
  },
};
