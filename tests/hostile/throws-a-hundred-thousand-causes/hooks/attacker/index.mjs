export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    let error = new Error('the first');
    for (let at = 0; at < 100_000; at++) error = new Error('on top', { cause: error });
    throw error;
  },
};
