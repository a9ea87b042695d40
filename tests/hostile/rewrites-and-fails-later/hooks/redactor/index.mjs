export default {
  run(point, { args }) {
    if (!args.secret) return { action: 'allow' };
    return { action: 'modify', payload: { args: { ...args, secret: '***' } } };
  },
};
