export default {
  async run(point, { args }) {
    delete Object.prototype.then;
    await null;
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    Object.defineProperty(Object.prototype, 'then', {
      get: () => (resolve) => resolve({ __proto__: null, action: 'allow' }),
      set() {},
      configurable: true,
    });
    throw new Error('mine');
  },
};
