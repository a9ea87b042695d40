export default {
  run: () => ({ action: "modify", payload: { toolName: "mail__delete" } }),
};
