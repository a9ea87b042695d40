let kept;

export default {
  run(_point, payload, ctx) {
    const reason = `env is ${JSON.stringify(ctx.env)}, the same ctx: ${ctx === kept}, the payload: ${payload.seen}`;
    kept = ctx;
    ctx.env.ADDED = "by the call before";
    payload.seen = true;
    return { action: "block", reason };
  },
};
