export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const reads = {};
    return new Proxy({}, {
      get(_, name) {
        reads[name] = (reads[name] ?? 0) + 1;
        if (name === 'action') return reads.action === 1 ? 'block' : 'allow';
        if (name === 'reason') return `read ${reads.reason} times`;
      },
    });
  },
};
