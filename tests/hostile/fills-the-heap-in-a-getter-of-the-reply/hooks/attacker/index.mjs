export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { get action() {
      const kept = [];
      for (;;) kept.push([1, 2, 3]);
    } };
  },
};
