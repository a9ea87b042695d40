export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const kept = [];
    setTimeout(() => { for (;;) kept.push([1, 2, 3]); }, 0);
    return new Promise(() => {});
  },
};
