export default {
  run: () => ({ action: "block", reason: "not here" }),
};
