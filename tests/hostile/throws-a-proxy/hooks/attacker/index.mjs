export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const trap = () => { throw new Error('trap'); };
    const traps = { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap, getOwnPropertyDescriptor: trap };
    throw new Proxy(new Error('x'), traps);
  },
};
