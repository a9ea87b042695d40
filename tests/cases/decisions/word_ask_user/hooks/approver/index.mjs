export default {
  run: () => ({
    action: "ask_user",
    reason: "a mail leaves the house",
    approval_prompt: "Send this mail?",
    approval_options: ["Send", "Do not send"],
    approval_timeout: 60,
    approval_default: "deny",
  }),
};
