export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: JSON.parse('['.repeat(1000) + ']'.repeat(1000)) };
  },
};
