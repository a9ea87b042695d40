let done = false;

export default {
  async run(point, { args }) {
    if (args.attack) {
      const trap = () => { throw new Error('trap'); };
      setTimeout(() => { throw new Error('late'); }, 1);
      setTimeout(() => { throw new Proxy({}, { get: trap, getPrototypeOf: trap, ownKeys: trap }); }, 1);
      setTimeout(() => { throw undefined; }, 1);
      setTimeout(() => { done = true; throw Symbol('late'); }, 2);
      return { action: 'block', reason: 'already answered' };
    }
    while (!done) await new Promise((resolve) => setTimeout(resolve, 1));
    return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
  },
};
