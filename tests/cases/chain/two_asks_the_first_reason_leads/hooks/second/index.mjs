export default { run: () => ({ action: "ask", reason: "it is late" }) };
