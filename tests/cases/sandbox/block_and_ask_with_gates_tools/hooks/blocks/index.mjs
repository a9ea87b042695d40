export default {
  run(point) {
    return { action: 'block', reason: `not at ${point}` };
  },
};
