export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.title = 'x'.repeat(100);
    process.title = '';
    return { action: 'modify', payload: { args: {} } };
  },
};
