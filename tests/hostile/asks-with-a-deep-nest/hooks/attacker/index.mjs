export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const nest = JSON.parse('['.repeat(1000) + ']'.repeat(1000));
    return { action: 'ask_user', reason: 'look at this', approval_options: nest };
  },
};
