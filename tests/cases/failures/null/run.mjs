export const run = () => null;
