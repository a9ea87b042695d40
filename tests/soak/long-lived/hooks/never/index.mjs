export default {
  run(point, { text }) {
    return text === 'evil' ? new Promise(() => {}) : { action: 'allow' };
  },
};
