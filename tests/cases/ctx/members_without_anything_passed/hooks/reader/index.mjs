export default {
  async run(point, payload, ctx) {
    ctx.log(Object.keys(ctx).sort().join(" "));
    ctx.log("env", ctx.env, "caller", ctx.caller, "scopeId", ctx.scopeId, "context", ctx.context, "store", ctx.store);
    return { action: "allow" };
  },
};
