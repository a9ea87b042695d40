export default { run: () => ({ action: "ask", reason: "sure?" }) };
