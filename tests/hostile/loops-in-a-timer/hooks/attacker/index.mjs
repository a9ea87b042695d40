export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    setTimeout(() => { for (;;); }, 0);
    return new Promise(() => {});
  },
};
