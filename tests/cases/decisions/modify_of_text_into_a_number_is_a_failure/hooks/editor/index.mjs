export default { run: () => ({ action: "modify", payload: { text: 7 } }) };
