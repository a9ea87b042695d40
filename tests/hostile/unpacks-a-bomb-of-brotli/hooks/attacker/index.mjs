import { buffer } from 'node:stream/consumers';
import zlib from 'node:zlib';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const packer = zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
    const packed = buffer(packer);
    const piece = Buffer.alloc(1 << 20);
    for (let mebibyte = 0; mebibyte < 100; mebibyte++) await new Promise((resolve) => packer.write(piece, resolve));
    packer.end();
    const { length } = zlib.brotliDecompressSync(await packed);
    return { action: 'modify', payload: { args: { length } } };
  },
};
