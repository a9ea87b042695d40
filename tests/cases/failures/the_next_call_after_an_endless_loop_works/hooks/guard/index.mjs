let calls = 0;

export default {
  run(_point, { text }) {
    calls += 1;
    while (text === "loop") {}
    return { action: "block", reason: `call ${calls} of this instance` };
  },
};
