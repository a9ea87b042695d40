export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: new String('block'), reason: 'x'.repeat(2_000_000) };
  },
};
