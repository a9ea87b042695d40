export default {
  run: () => ({ action: "modify", payload: { text: "done, politely", channels: ["chat", "mail"] } }),
};
