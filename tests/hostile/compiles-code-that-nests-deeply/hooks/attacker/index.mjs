export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    new Function('return ' + '['.repeat(1_000_000) + ']'.repeat(1_000_000));
  },
};
