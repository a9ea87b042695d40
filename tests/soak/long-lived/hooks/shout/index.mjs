export default {
  async run(point, { args }) {
    await null;
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { action: 'modify', payload: { args: { ...args, text: args.text.toUpperCase() } }, note: 'louder' };
  },
};
