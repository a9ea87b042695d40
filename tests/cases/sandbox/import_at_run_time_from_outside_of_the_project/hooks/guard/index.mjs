export default {
  async run() {
    const { default: reason } = await import('../../../outside_files/reason.mjs');
    return { action: 'block', reason };
  },
};
