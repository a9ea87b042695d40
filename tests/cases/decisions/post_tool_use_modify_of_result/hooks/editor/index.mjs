export default {
  run: (_point, payload) => ({ action: "modify", payload: { ...payload, result: { body: "[removed]" } }, note: "rewritten" }),
};
