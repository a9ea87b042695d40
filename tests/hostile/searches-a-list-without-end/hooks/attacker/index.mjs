export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    [].indexOf.call({ length: 2 ** 53 - 1 }, 1, 2 ** 53 - 2e8);
  },
};
