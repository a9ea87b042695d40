export default {
  async run(point, payload, ctx) {
    return { action: 'block', reason: (await ctx.store.get('members', 'u1')).role };
  },
};
