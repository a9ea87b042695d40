import crypto from 'node:crypto';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    crypto.pbkdf2Sync('x', 'salt', 4000000, 64, 'sha512');
    return { action: 'allow' };
  },
};
