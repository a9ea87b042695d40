export default {
  run: () => ({ action: "block", reason: "cut in the middle: \ud83d" }),
};
