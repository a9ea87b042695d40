export default {
  run(point) {
    return { action: 'ask', reason: `not at ${point}` };
  },
};
