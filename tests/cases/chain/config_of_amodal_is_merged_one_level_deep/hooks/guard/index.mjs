export default (config) => ({
  run(_point, _payload, ctx) {
    ctx.log(JSON.stringify(config));
    return { action: "allow" };
  },
});
