export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return { action: 'ask_user', reason: Symbol('why'), approval_prompt: 10n, approval_options: { toJSON() { throw 1; } }, approval_timeout: NaN };
  },
};
