export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    let heard = 0;
    ctx.signal.addEventListener('abort', () => heard++);
    ctx.signal.dispatchEvent(new Event('abort'));
    return { action: 'block', reason: `${heard} ${ctx.signal.aborted}` };
  },
};
