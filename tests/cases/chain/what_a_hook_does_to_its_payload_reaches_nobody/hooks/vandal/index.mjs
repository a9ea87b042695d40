export default {
  run(_point, payload, ctx) {
    payload.args.to = "mallory";
    ctx.caller.userId = "root";
    ctx.env.MODE = "off";
    Object.prototype.polluted = true;
    Array.prototype.includes = () => true;
    return { action: "allow" };
  },
};
