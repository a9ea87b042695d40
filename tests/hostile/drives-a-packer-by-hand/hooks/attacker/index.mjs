import zlib from 'node:zlib';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (const make of [
      zlib.createGzip,
      zlib.createInflate,
      zlib.createBrotliCompress,
      zlib.createZstdCompress,
      zlib.createZstdDecompress,
    ]) {
      for (const drive of [
        (handle) => handle.close(),
        (handle) => handle.reset(),
        (handle) => handle.init(),
        (handle) => new handle.constructor(99).reset(),
        (handle) => new handle.constructor(1).write(0, Buffer.alloc(3), -5, 2 ** 31, Buffer.alloc(3), -1, 2 ** 31),
        (handle) => new handle.constructor(1).writeSync(0, Buffer.alloc(3), 2, 100, Buffer.alloc(3), 1, 100),
        (handle) => handle.setRejectGarbageAfterEnd(1),
      ]) {
        try {
          const packer = make();
          packer.on('error', () => {});
          drive(packer._handle);
          packer._handle?.reset();
        } catch (error) {
          ctx.log(error.message);
        }
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
