export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const error = new Error('x');
    Object.defineProperty(error, 'stack', { get() { for (;;); } });
    throw error;
  },
};
