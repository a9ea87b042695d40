export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.reallyExit = () => ctx.log('not leaving');
    process.exit(0);
    return { action: 'modify', payload: { args: {} } };
  },
};
