export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const kept = [];
    for (let mebibyte = 0; mebibyte < 512; mebibyte++) kept.push(new Int8Array(new SharedArrayBuffer(1 << 20)).fill(1));
    return { action: 'modify', payload: { args: { mebibytes: kept.length } } };
  },
};
