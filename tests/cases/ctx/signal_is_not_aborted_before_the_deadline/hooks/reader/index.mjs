export default {
  async run(point, payload, ctx) {
    ctx.log(ctx.signal instanceof AbortSignal, ctx.signal.aborted, ctx.signal === ctx.signal);
    return { action: "allow" };
  },
};
