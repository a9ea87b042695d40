import crypto from 'node:crypto';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    crypto.scryptSync('x', 'salt', 64, { N: 2 ** 18, r: 8, p: 1, maxmem: 2 ** 31 });
    return { action: 'allow' };
  },
};
