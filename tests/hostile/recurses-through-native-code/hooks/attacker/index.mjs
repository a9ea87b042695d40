export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const deeper = () => [1].map(() => JSON.parse('1', () => 'x'.replace(/x/, deeper)));
    return deeper();
  },
};
