export default {
  run() {
    return { action: 'allow' };
  },
};
