export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.exitCode = 9;
    return { action: 'modify', payload: { args: { code: process.exitCode } } };
  },
};
