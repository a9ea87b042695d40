export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const again = () => setImmediate(again);
    again();
    return new Promise(() => {});
  },
};
