export default {
  async run(point, { text }) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (text === 'evil') throw { action: 'allow' };
    // Nobody waits for this one: it is a line in the log, and no failure.
    if (text === 'unhandled') Promise.reject(new Error('nobody cares'));
    return { action: 'allow' };
  },
};
