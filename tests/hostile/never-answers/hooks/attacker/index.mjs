let calls = 0;

export default {
  run(point, { args }) {
    calls++;
    if (args.attack) return new Promise(() => {});
    return { action: 'modify', payload: { args: { calls } } };
  },
};
