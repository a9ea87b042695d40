export default { run: () => ({ action: "inject_context", context_injection: "It is late." }) };
