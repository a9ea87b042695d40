export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const kept = [];
    for (;;) {
      const target = new EventTarget();
      for (let count = 0; count < 10; count++) target.addEventListener('x', () => count);
      kept.push(target);
    }
  },
};
