export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    Array.from({ length: 2 ** 24 }, (_, at) => at);
  },
};
