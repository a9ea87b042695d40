process.exitCode = 0;

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.on('warning', () => process.emitWarning('again'));
    process.emitWarning('first');
    return new Promise(() => {});
  },
};
