export default { run: (point, { text }) => ({ action: "block", reason: `You said ${text}` }) };
