export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (let timer = 0; timer < 100_000; timer++) clearTimeout(timer), clearInterval(timer);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { action: 'block', reason: 'woke up' };
  },
};
