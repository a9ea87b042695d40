export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    ctx.log('x'.repeat(100_000_000));
    return { action: 'block', reason: 'logged' };
  },
};
