export default { run: () => ({ action: "ask", reason: "a mail leaves the house" }) };
