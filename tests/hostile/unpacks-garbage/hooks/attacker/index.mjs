import crypto from 'node:crypto';
import zlib from 'node:zlib';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const garbage = [
      Buffer.alloc(0),
      Buffer.alloc(100, 255),
      Buffer.from('x'),
      zlib.gzipSync('hello').subarray(0, 12),
      crypto.randomBytes(1000),
    ];
    const kinds = [
      'gunzipSync',
      'inflateSync',
      'inflateRawSync',
      'unzipSync',
      'brotliDecompressSync',
      'zstdDecompressSync',
    ];
    for (const kind of kinds) {
      for (const data of garbage) {
        for (const options of [
          {},
          { windowBits: 15, chunkSize: 64 },
          { windowBits: 99 },
          { chunkSize: -1 },
          { dictionary: Buffer.alloc(1 << 16) },
          { finishFlush: 99 },
          { maxOutputLength: 1 },
          { params: { 99999: 1 } },
        ]) {
          try {
            zlib[kind]?.(data, options);
          } catch (error) {
            if (!(error instanceof Error)) ctx.log(kind, error);
          }
        }
      }
    }
    const stream = zlib.createGzip();
    stream.on('error', () => {});
    stream.write('x');
    try {
      stream.params(9, 99, () => {});
    } catch (error) {
      ctx.log(error.message);
    }
    stream.reset();
    stream.close();
    stream.write('y');
    return { action: 'modify', payload: { args: {} } };
  },
};
