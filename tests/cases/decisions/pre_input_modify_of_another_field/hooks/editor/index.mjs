export default {
  run: () => ({ action: "modify", payload: { source: "api" } }),
};
