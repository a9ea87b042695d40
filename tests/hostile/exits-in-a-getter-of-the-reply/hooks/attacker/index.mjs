export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return {
      get action() {
        process.exit(0);
      },
    };
  },
};
