export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const seen = [];
    process.on('uncaughtException', (error, origin) => seen.push(`${origin}: ${error.message}`));
    process.on('unhandledRejection', (error) => seen.push(`rejection: ${error.message}`));
    setTimeout(() => {
      throw new Error('timer');
    }, 1);
    process.nextTick(() => {
      throw new Error('tick');
    });
    queueMicrotask(() => {
      throw new Error('microtask');
    });
    Promise.reject(new Error('promise'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { action: 'modify', payload: { args: { seen: seen.sort() } } };
  },
};
