import crypto from 'node:crypto';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    try {
      crypto.createDiffieHellman(Buffer.alloc(0), Buffer.from([2])).generateKeys();
    } catch (error) {
      ctx.log(error.message);
    }
    try {
      new crypto.DiffieHellman(Buffer.from([0]), Buffer.from([0])).generateKeys();
    } catch (error) {
      ctx.log(error.message);
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
