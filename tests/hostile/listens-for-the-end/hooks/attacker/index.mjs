export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (const event of ['exit', 'beforeExit', 'disconnect', 'message', 'warning', 'worker'])
      process.on(event, () => ctx.log(event));
    return { action: 'modify', payload: { args: {} } };
  },
};
