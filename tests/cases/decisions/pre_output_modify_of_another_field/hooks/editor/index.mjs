export default {
  run: () => ({ action: "modify", payload: { channels: ["chat", "mail"] } }),
};
