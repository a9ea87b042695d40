export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const kept = new Map();
    for (let key = 0;; key++) kept.set(key, { key });
  },
};
