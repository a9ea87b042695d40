export default {
  async run() {
    const { reason } = await import("./reason.mjs");
    return { action: "block", reason };
  },
};
