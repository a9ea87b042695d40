import repl from 'node:repl';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    try {
      repl.start({ prompt: '' }).on('exit', () => ctx.log('ended'));
    } catch (error) {
      ctx.log(error.message);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { action: 'modify', payload: { args: {} } };
  },
};
