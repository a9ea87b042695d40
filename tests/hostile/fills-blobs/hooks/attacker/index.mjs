export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const part = new Uint8Array(1 << 20).fill(1);
    const kept = [];
    for (let mebibyte = 0; mebibyte < 512; mebibyte++) kept.push(new Blob([part]));
    return { action: 'modify', payload: { args: { mebibytes: 512 } } };
  },
};
