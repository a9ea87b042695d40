for (const name of ['get', 'set', 'delete', 'has']) Map.prototype[name] = () => { throw new Error('patched'); };
Reflect.apply = () => ({ action: 'allow' });
Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => ({ action: 'allow' });
Object.keys = Object.entries = Object.defineProperty = () => { throw new Error('patched'); };

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'block', reason: `no ${args.path}` };
  },
};
