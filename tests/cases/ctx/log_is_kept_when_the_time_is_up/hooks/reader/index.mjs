export default {
  run(_point, _payload, ctx) {
    ctx.log("before the loop");
    while (true) {}
  },
};
