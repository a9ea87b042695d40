export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.on('unhandledRejection', () => {
      Promise.reject(new Error('again'));
    });
    Promise.reject(new Error('first'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { action: 'modify', payload: { args: {} } };
  },
};
