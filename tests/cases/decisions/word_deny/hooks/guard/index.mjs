export default { run: () => ({ action: "deny", reason: "not here" }) };
