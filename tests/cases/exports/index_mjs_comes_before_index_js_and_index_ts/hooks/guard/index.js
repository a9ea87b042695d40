export default { run: () => ({ action: "block", reason: "from index.js" }) };
