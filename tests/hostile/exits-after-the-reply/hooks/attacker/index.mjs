export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    setTimeout(() => process.exit(0), 20);
    return { action: 'modify', payload: { args: {} } };
  },
};
