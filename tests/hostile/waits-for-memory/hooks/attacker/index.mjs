export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
};
