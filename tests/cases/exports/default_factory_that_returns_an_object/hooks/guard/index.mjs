export default (config) => ({
  run: (point) => ({ action: "block", reason: `${point} says ${config.word}` }),
});
