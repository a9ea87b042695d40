export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    await null;
    const error = new Error('x');
    Object.defineProperty(error, 'name', { get() { for (;;); } });
    throw error;
  },
};
