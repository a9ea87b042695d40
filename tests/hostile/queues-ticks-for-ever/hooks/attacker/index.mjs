const { nextTick } = process;

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const again = () => nextTick(again);
    again();
    return new Promise(() => {});
  },
};
