export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { __proto__: { action: 'block', reason: 'inherited' } };
  },
};
