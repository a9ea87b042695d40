export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    try {
      process.exit(2);
    } catch {
      ctx.log('still here');
    } finally {
      ctx.log('still here');
      return { action: 'allow' };
    }
  },
};
