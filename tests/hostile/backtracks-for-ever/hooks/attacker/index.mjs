export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    /^(a+)+$/.test('a'.repeat(60) + 'b');
  },
};
