import zlib from 'node:zlib';

const BOMB =
  'z///f/gnAOKxQCD3/p/////wTwDEYQGA7v0/////4Z8AiMMiAN37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P//x' +
  '/+CYA4LADQvf/P//9//BMAcVgAoHv/Dw==';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const { length } = zlib.brotliDecompressSync(Buffer.from(BOMB, 'base64'));
    return { action: 'modify', payload: { args: { length } } };
  },
};
