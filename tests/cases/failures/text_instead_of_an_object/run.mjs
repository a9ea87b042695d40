export const run = () => "allow";
