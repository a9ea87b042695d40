export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: 'meant', get then() { throw new Error('from the getter'); } };
  },
};
