export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const there = [process.pid, 0, process.ppid].map((number) => process.kill(number, 0));
    return { action: 'modify', payload: { args: { there } } };
  },
};
