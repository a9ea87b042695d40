export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    let count = 0;
    process.on('uncaughtException', () => {
      count += 1;
      throw new Error('again');
    });
    setTimeout(() => {
      throw new Error('first');
    }, 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { action: 'modify', payload: { args: { heard: count > 0 } } };
  },
};
