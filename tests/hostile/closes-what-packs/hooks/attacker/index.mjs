import zlib from 'node:zlib';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (let round = 0; round < 50; round++) {
      const packers = [
        zlib.createGzip(),
        zlib.createBrotliCompress(),
        zlib.createInflate(),
        zlib.createZstdCompress?.(),
      ];
      for (const packer of packers) {
        if (packer === undefined) continue;
        packer.on('error', () => {});
        packer.write(Buffer.alloc(100000, round));
        if (round % 2) packer.close();
        else packer.destroy();
        try {
          packer.reset?.();
          packer.flush();
        } catch (error) {
          ctx.log(error.message);
        }
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { action: 'modify', payload: { args: {} } };
  },
};
