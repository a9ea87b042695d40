Error.prepareStackTrace = () => { throw new Error('from prepareStackTrace'); };

export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    throw new Error('the real one');
  },
};
