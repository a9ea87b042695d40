let done = false;

export default {
  async run(point, { args }) {
    if (args.attack) {
      setTimeout(async () => {
        done = true;
        throw new Error('late');
      }, 1);
      return { action: 'block', reason: 'already answered' };
    }
    while (!done) await new Promise((resolve) => setTimeout(resolve, 1));
    return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
  },
};
