let ticks = 0;

export default {
  async run(point, { args }) {
    if (args.attack) {
      setInterval(() => { ticks++; }, 0);
      return { action: 'block', reason: 'left behind' };
    }
    while (ticks < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
  },
};
