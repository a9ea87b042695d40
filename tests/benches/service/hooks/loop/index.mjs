export default {
  run(point, { args }) {
    while (args.loop);
    return { action: 'allow' };
  },
};
