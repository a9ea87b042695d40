export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return {
      action: 'ask_user',
      reason: Symbol('why'),
      approval_prompt: 10n,
      approval_options: { toJSON() { throw new Error('from toJSON'); } },
      approval_timeout: NaN,
    };
  },
};
