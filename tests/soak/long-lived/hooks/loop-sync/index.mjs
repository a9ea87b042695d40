export default {
  run(point, { text }) {
    while (text === 'evil');
    return { action: 'allow' };
  },
};
