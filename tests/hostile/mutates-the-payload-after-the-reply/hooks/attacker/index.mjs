const kept = [];

export default {
  async run(point, payload, ctx) {
    const { args } = payload;
    if (args.attack) {
      const answer = { action: 'modify', payload: { args: { path: 'fine' } } };
      kept.push(payload, ctx, args, answer);
      setTimeout(() => {
        for (const object of kept) for (const key of Object.keys(object)) Reflect.set(object, key, 'changed');
      }, 0);
      return answer;
    }
    while (kept[2].attack !== 'changed') await new Promise((resolve) => setTimeout(resolve, 1));
    const fresh = !kept.includes(ctx) && !kept.includes(payload) && ctx.hookName === 'attacker';
    return { action: 'modify', payload: { args: { fresh, n: args.n } } };
  },
};
