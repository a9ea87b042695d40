let later;

export default {
  async run(point, { args }, ctx) {
    if (args.attack) {
      later = ctx;
      return { action: 'block', reason: 'answered' };
    }
    later.log('a line of the call before');
    ctx.log('a line of this call');
    return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
  },
};
