const reason = await Promise.resolve("after an await");

export default { run: () => ({ action: "block", reason }) };
