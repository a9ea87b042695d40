export default {
  run: () => ({ action: "modify", payload: { args: { to: "grace" }, toolName: "mail__delete" } }),
};
