export default { run: () => ({ action: "modify", data: { text: "hello, redacted" } }) };
