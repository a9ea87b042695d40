let fresh = true;

export default {
  run(point, { args }) {
    if (!args.attack) return { action: 'modify', payload: { args: { fresh } } };
    fresh = false;
    setTimeout(() => { for (;;); }, 0);
    return { action: 'block', reason: 'looks finished' };
  },
};
