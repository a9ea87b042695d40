export default {
  run: (_point, payload) => ({ action: "modify", payload: { ...payload, args: { to: "grace" } }, note: "rewritten" }),
};
