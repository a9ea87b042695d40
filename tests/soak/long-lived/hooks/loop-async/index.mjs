export default {
  async run(point, { text }) {
    await new Promise((resolve) => setTimeout(resolve));
    while (text === 'evil') await null;
    return { action: 'allow' };
  },
};
