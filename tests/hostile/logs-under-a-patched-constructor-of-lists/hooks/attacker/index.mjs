Object.defineProperty(Array.prototype, 'constructor', { get() { throw new Error('patched constructor'); } });

export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    ctx.log('one', ['two']);
    return { action: 'block', reason: 'meant' };
  },
};
