export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.on('exit', () => {
      while (true);
    });
    process.exit(0);
  },
};
