export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const error = new Error('round and round');
    error.cause = error;
    throw error;
  },
};
