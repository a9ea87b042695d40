export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.on('exit', () => {
      throw new Error('not yet');
    });
    process.exit(0);
    return { action: 'allow' };
  },
};
