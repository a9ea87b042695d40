export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    await Promise.resolve().then(() => process.exit(4)).catch(() => ctx.log('still here'));
    return { action: 'allow' };
  },
};
