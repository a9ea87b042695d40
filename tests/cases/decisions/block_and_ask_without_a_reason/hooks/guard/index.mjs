export default { run: () => ({ action: "block" }) };
