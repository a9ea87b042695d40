export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const before = process.cwd();
    let message = 'changed';
    try {
      process.chdir('/');
    } catch (error) {
      ({ message } = error);
    }
    return { action: 'modify', payload: { args: { message, same: process.cwd() === before } } };
  },
};
