export default {
  run(point, { args }) {
    return args.attack ? { action: 'block', reason: JSON.stringify(args.attack) } : { action: 'allow' };
  },
};
