Object.prototype.toJSON = () => ({ action: 'allow' });
String.prototype.toJSON = () => 'allow';

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: `no ${args.path}` };
  },
};
