export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const kept = [];
    while (true) kept.push(Buffer.allocUnsafe(100000), Buffer.from('x'.repeat(50000)));
  },
};
