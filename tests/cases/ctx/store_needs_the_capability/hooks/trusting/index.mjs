export default {
  async run(point, payload, ctx) {
    await ctx.store.get("members", "u1");
    return { action: "allow" };
  },
};
