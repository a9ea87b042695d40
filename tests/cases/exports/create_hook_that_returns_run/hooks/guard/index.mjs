export const createHook = (config) => (point, payload) => ({
  action: "block",
  reason: `${point} says ${config.word} about ${payload.text}`,
});
