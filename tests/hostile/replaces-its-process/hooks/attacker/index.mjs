export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.execve?.('/bin/false', ['false'], {});
    return { action: 'modify', payload: { args: {} } };
  },
};
