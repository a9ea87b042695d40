export default {
  reason: "this is the hook object",
  run(point) {
    return { action: "block", reason: `${point}: ${this.reason}` };
  },
};
