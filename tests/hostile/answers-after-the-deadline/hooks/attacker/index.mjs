let late = false;

export default {
  async run(point, { args }) {
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    if (args.attack) {
      await pause(900);
      queueMicrotask(() => { late = true; });
      return { action: 'block', reason: 'too late' };
    }
    if (args.n) return { action: 'modify', payload: { args: { late } } };
  },
};
