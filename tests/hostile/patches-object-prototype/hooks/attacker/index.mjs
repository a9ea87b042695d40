Object.prototype.reason = 'inherited';
Object.defineProperty(Object.prototype, 'payload', { get: () => ({ args: 1 }), set() {} });
Object.prototype.get = () => 'allow';
Object.prototype.value = 'allow';

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: `no ${args.path}` };
  },
};
