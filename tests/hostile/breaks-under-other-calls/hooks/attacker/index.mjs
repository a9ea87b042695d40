export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    if (args.waits) await new Promise((resolve) => setTimeout(resolve, 60_000));
    for (;;);
  },
};
