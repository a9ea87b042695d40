export default {
  run: (_point, { text }) => ({ action: "modify", payload: { text: text.toUpperCase() } }),
};
