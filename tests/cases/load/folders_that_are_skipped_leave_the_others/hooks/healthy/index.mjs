export default { run: () => ({ action: "block", reason: "still on guard" }) };
