export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return Object.freeze({ action: 'block', reason: 'frozen', payload: Object.freeze({}) });
  },
};
