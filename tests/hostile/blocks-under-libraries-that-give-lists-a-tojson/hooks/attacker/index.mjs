Array.prototype.toJSON = () => { throw new Error('patched toJSON'); };
String.prototype.toJSON = () => 'allow';

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: 'meant', approval_options: ['yes', 'no'] };
  },
};
