export default {
  run: (_point, payload) => ({ action: "modify", payload: { ...payload, text: "hello, redacted" }, note: "rewritten" }),
};
