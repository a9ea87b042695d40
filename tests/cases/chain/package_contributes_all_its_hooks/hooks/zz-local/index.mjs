export default {
  run(_point, payload, ctx) {
    ctx.log(payload.args);
    return { action: "allow" };
  },
};
