export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const text = 'x'.repeat(1 << 20);
    const encoder = new TextEncoder();
    const kept = [];
    for (let mebibyte = 0; mebibyte < 512; mebibyte++) kept.push(encoder.encode(text));
    return { action: 'modify', payload: { args: { mebibytes: 512 } } };
  },
};
