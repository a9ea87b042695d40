export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    if (args.waits) return new Promise(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.exit(0);
  },
};
