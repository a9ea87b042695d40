export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: Object.assign(() => {}, { toJSON: () => 'allow' }) };
  },
};
