export default {
  run(point, payload) {
    return { action: 'modify', payload };
  },
};
