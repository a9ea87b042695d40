export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    try {
      process.kill(0, 'SIGURG');
    } finally {
      ctx.log('still here');
    }
  },
};
