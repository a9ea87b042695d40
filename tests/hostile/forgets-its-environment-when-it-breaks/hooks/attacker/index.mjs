export default {
  run(point, { args }) {
    if (args.look) return { action: 'modify', payload: { args: { forged: typeof process.env.HOOKHOST_TEST_FORGED } } };
    process.env.HOOKHOST_TEST_FORGED = 'x';
    process.exit(0);
  },
};
