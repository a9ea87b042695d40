export default {
  async run(point, payload, ctx) {
    ctx.log(JSON.stringify(await ctx.store.get("members", "u1")));
    ctx.log(JSON.stringify(await ctx.store.get("members", "u9")));
    return { action: "allow" };
  },
};
