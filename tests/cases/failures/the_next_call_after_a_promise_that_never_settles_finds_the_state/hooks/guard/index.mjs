let calls = 0;

export default {
  run(_point, { text }) {
    calls += 1;
    if (text === "wait") return new Promise(() => {});
    return { action: "block", reason: `call ${calls} of this instance` };
  },
};
