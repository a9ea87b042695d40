export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const mebibyte = 'x'.repeat(1 << 20);
    for (let count = 0; count < 300; count++) process.env[`variable${count}`] = mebibyte;
    return { action: 'modify', payload: { args: { mebibytes: 300 } } };
  },
};
