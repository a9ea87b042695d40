export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const target = new EventTarget();
    let depth = 0;
    target.addEventListener('x', () => { depth++; target.dispatchEvent(new Event('x')); });
    target.dispatchEvent(new Event('x'));
    return { action: 'block', reason: 'came back' };
  },
};
