export default {
  run(point, { args }) {
    return args.attack ? { action: 'block', reason: 'the guard decides' } : { action: 'allow' };
  },
};
