export default {
  run: () => ({
    action: "inject_context",
    context_injection: "The mail is in German.",
    context_injection_role: "user",
    ephemeral: true,
    user_message: "Noticed a German mail",
    user_message_level: "info",
  }),
};
