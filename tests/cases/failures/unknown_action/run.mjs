export const run = () => ({ action: "allowed" });
