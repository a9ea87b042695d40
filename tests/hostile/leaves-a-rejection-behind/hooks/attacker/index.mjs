let done = false;

export default {
  async run(point, { args }) {
    if (args.attack) {
      Promise.reject(new Error('unhandled'));
      setTimeout(() => { done = true; Promise.reject(null); }, 1);
      return { action: 'block', reason: 'already answered' };
    }
    while (!done) await new Promise((resolve) => setTimeout(resolve, 1));
    return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
  },
};
