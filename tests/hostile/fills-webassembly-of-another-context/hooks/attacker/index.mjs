import vm from 'node:vm';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const { Memory } = vm.runInNewContext('WebAssembly');
    const kept = [];
    for (let count = 0; count < 32; count++) {
      const memory = new Memory({ initial: 256 });
      kept.push(new Uint8Array(memory.buffer).fill(1));
    }
    return { action: 'modify', payload: { args: { mebibytes: 512 } } };
  },
};
