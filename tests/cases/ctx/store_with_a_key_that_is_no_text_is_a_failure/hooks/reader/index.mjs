export default {
  async run(point, payload, ctx) {
    await ctx.store.get("members", undefined);
    return { action: "allow" };
  },
};
