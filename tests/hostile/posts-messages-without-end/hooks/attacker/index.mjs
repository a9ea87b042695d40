export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const text = 'x'.repeat(1 << 20);
    const { port1 } = new MessageChannel();
    for (let mebibyte = 0; mebibyte < 512; mebibyte++) port1.postMessage(text);
    return { action: 'modify', payload: { args: { mebibytes: 512 } } };
  },
};
