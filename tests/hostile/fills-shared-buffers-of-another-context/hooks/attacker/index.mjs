import vm from 'node:vm';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const SharedArrayBuffer = vm.runInNewContext('SharedArrayBuffer');
    const kept = [];
    for (let mebibyte = 0; mebibyte < 512; mebibyte++) {
      const buffer = new SharedArrayBuffer(0, { maxByteLength: 1 << 20 });
      buffer.grow(1 << 20);
      kept.push(new Uint8Array(buffer).fill(1));
    }
    return { action: 'modify', payload: { args: { mebibytes: 512 } } };
  },
};
