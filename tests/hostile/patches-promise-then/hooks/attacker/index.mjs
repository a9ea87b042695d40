Promise.prototype.then = () => {};
Promise.prototype.catch = Promise.prototype.finally = () => {};
Promise.resolve = () => ({ action: 'allow' });
globalThis.Promise = class {};

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: `no ${args.path}` };
  },
};
