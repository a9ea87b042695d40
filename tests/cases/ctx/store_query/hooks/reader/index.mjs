export default {
  async run(point, payload, ctx) {
    const names = async (filter) => (await ctx.store.query("members", filter)).map((row) => row.name).join(" ");
    ctx.log("all:", await names());
    ctx.log("team 1:", await names({ team: 1 }));
    ctx.log("clerks of team 1:", await names({ team: 1, role: "clerk" }));
    ctx.log("team \"1\":", await names({ team: "1" }));
    return { action: "allow" };
  },
};
