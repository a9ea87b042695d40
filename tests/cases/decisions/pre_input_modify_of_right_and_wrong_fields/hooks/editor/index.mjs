export default {
  run: () => ({ action: "modify", payload: { text: "hello, redacted", source: "api" } }),
};
