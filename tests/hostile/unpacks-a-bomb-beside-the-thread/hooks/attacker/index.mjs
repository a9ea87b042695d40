import zlib from 'node:zlib';
import { promisify } from 'node:util';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const member = zlib.gzipSync(Buffer.alloc(8 << 20));
    const bomb = Buffer.concat(Array(40).fill(member));
    const { length } = await promisify(zlib.gunzip)(bomb);
    return { action: 'modify', payload: { args: { length } } };
  },
};
