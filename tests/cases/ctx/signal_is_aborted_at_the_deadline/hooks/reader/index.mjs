let tell;
const aborted = new Promise((resolve) => {
  tell = resolve;
});

export default {
  async run(_point, { text }, ctx) {
    if (text === "what happened?") return { action: "block", reason: `aborted: ${await aborted}` };
    ctx.signal.addEventListener("abort", () => tell(ctx.signal.reason.name));
    return new Promise(() => {});
  },
};
