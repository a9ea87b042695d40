export default { run: () => ({ action: "block", reason: "no" }) };
