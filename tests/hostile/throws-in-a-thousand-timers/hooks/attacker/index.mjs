let done = false;

export default {
  async run(point, { args }) {
    if (args.attack) {
      for (let at = 0; at < 1000; at++) setTimeout(() => { throw new Error('late'); }, 1);
      setTimeout(() => { done = true; }, 5);
      return { action: 'block', reason: 'already answered' };
    }
    while (!done) await new Promise((resolve) => setTimeout(resolve, 1));
    return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
  },
};
