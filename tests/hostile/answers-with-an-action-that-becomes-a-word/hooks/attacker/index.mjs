export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: { toJSON: () => 'block' }, reason: new String('as JSON') };
  },
};
