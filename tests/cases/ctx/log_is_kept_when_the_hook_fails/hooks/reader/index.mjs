export default {
  run(_point, _payload, ctx) {
    ctx.log("before the end");
    throw new Error("the end");
  },
};
