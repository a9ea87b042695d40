Array.prototype[Symbol.iterator] = function* () { yield 'note'; };
Object.getPrototypeOf(new Map().entries()).next = () => ({ done: true });
String.prototype[Symbol.iterator] = () => { throw new Error('patched'); };

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: `no ${args.path}` };
  },
};
