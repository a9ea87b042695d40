export default {
  run: () => ({ action: "modify", payload: { result: { body: "[removed]" }, isError: true, args: { id: 8 } } }),
};
