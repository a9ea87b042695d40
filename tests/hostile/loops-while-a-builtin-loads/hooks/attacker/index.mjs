export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const { get, value } = Object.getOwnPropertyDescriptor(Set.prototype, Symbol.iterator);
    Object.defineProperty(Set.prototype, Symbol.iterator, {
      get: get ?? (() => value),
      set() {
        while (true);
      },
    });
    return { action: 'modify', payload: { args: { process: typeof process.cwd } } };
  },
};
