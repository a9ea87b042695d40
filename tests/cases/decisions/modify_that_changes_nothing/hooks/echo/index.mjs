export default {
  run: (_point, payload) => ({ action: "modify", payload }),
};
