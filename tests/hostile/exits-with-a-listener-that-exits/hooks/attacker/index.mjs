export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.on('exit', (code) => {
      ctx.log(`out with ${code}`);
      process.exit(8);
    });
    process.exit(7);
  },
};
