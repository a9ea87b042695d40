export default {
  run: () => ({ action: "block", reason: "would have blocked", user_message: "not shown" }),
};
