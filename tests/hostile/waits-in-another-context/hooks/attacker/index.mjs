import vm from 'node:vm';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    return vm.runInNewContext('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)');
  },
};
