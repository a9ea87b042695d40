export default {
  run(point, payload, ctx) {
    ctx.log('a word in the log');
    return { action: 'block', reason: 'Not here.' };
  },
};
