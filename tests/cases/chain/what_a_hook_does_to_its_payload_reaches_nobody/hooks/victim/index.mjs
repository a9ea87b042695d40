export default {
  run(_point, payload, ctx) {
    ctx.log(payload.args, ctx.caller, ctx.env, {}.polluted, [].includes(1));
    return { action: "allow" };
  },
};
