export default { run: () => ({ action: "block", reason: "the first" }) };
