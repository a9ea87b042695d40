export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    new RegExp('('.repeat(30_000) + ')'.repeat(30_000)).test('x');
  },
};
