Object.defineProperty(Object.prototype, 'action', { get: () => 'allow', set() {} });

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { __proto__: null, reason: 'no action here' };
  },
};
