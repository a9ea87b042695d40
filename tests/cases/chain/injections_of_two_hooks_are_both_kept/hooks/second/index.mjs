export default { run: () => ({ action: "inject_context", context_injection: "Ada is on holiday." }) };
