export default {
  async run(point, { args }) {
    if (args.amount > 100) return { action: 'ask', reason: `${args.id}: spend ${args.amount}?` };
    return { action: 'allow' };
  },
};
