export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const memory = new WebAssembly.Memory({ initial: 0 });
    for (let mebibyte = 0; mebibyte < 512; mebibyte++) memory.grow(16);
    new Uint8Array(memory.buffer).fill(1);
    return { action: 'modify', payload: { args: { mebibytes: 512 } } };
  },
};
