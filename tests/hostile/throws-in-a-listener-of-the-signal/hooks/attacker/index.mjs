export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    ctx.signal.addEventListener('abort', () => { throw new Error('from the listener'); });
    ctx.signal.onabort = () => { throw null; };
    return new Promise(() => {});
  },
};
