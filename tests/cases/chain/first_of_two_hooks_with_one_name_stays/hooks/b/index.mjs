export default { run: () => ({ action: "block", reason: "the second" }) };
