export default {
  run: (_point, payload) => ({ action: "modify", payload: { ...payload, text: "done, politely" }, note: "rewritten" }),
};
