let fresh = true;

export default {
  run(point, { args }, ctx) {
    if (!args.attack) return { action: 'modify', payload: { args: { fresh } } };
    fresh = false;
    AbortController.prototype.abort = () => { for (;;); };
    ctx.signal.addEventListener('abort', () => { for (;;); });
    return new Promise(() => {});
  },
};
