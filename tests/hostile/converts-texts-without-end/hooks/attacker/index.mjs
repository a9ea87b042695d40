export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const text = 'x'.repeat(3 << 18);
    const kept = [];
    for (let mebibyte = 0; mebibyte < 512; mebibyte++) kept.push(btoa(text));
    return { action: 'modify', payload: { args: { mebibytes: 512 } } };
  },
};
