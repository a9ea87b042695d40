export default {
  run: () => ({ action: "modify", payload: { isError: true, args: { id: 8 } } }),
};
