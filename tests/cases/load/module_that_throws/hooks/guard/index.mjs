const words = undefined;
const first = words[0];

export default { run: () => ({ action: "allow", first }) };
