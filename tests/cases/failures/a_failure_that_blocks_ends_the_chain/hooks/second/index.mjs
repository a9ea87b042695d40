export default { run: () => ({ action: "ask", reason: "never asked" }) };
