export const run = () => ({ action: "modify", payload: "hello" });
