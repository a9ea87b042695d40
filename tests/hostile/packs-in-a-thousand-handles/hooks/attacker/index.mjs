import zlib from 'node:zlib';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const kept = [];
    for (let count = 0; count < 1200; count++) {
      const packer = zlib.createDeflate({ memLevel: 9 });
      packer.write('x');
      packer.flush();
      kept.push(packer);
    }
    return { action: 'modify', payload: { args: { kept: kept.length } } };
  },
};
