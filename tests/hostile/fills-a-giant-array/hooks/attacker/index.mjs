export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    new Array(2 ** 25 - 1).fill(1.5);
  },
};
