export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const round = {};
    round.round = round;
    return {
      action: 'block',
      reason: { toJSON() { throw new Error('from toJSON'); } },
      note: round,
      user_message: 10n,
      payload: new Proxy({}, { ownKeys() { throw new Error('trap'); } }),
    };
  },
};
