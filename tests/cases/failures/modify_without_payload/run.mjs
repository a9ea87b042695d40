export const run = () => ({ action: "modify" });
