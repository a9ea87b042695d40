export default { run: () => ({ action: "block", reason: "the local one" }) };
