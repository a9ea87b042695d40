export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const deeper = () => deeper() + 1;
    return deeper();
  },
};
