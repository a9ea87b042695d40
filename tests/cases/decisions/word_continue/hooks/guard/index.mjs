export default { run: () => ({ action: "continue" }) };
