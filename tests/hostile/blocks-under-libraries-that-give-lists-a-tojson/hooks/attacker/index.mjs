Array.prototype.toJSON = () => { throw new Error('patched toJSON'); };
String.prototype.toJSON = () => 'allow';
Number.prototype.toJSON = () => { throw new Error('patched toJSON'); };

export default {
  run(point, { args }) {
    if (args.n) {
      delete Array.prototype[0];
      return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    }
    Object.defineProperty(Array.prototype, 0, { set() { throw new Error('patched 0'); }, configurable: true });
    Object.prototype.toJSON = () => { throw new Error('patched toJSON'); };
    const answer = { action: 'block', reason: 'meant', approval_options: ['yes', 'no'], approval_timeout: 5 };
    queueMicrotask(() => { delete Object.prototype.toJSON; });
    return answer;
  },
};
