export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    setTimeout(() => process.exit(3), 1);
    return new Promise(() => {});
  },
};
