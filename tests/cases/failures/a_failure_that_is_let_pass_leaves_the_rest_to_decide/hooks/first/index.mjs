export default { run: () => { throw new Error("broken"); } };
