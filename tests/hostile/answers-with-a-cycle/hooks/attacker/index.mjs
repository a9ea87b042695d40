export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const round = {};
    round.round = round;
    return { action: 'modify', payload: { args: round } };
  },
};
