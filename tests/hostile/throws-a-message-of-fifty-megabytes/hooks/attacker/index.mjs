export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    throw new Error('x'.repeat(50_000_000));
  },
};
