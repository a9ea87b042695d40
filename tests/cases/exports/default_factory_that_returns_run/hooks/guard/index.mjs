export default (config) => (point) => ({ action: "block", reason: `${point} says ${config.word}` });
