export const run = () => [{ action: "allow" }];
