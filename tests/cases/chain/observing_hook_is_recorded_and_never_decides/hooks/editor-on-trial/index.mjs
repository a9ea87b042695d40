export default {
  run: (_point, { args }) => ({ action: "modify", payload: { args: { ...args, to: "nobody" } } }),
};
