export const run = () => ({ decision: "allow" });
