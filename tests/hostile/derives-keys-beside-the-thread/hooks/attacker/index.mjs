import crypto from 'node:crypto';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (let count = 0; count < 6; count++) crypto.pbkdf2('x', 'salt', 500000, 64, 'sha512', () => {});
    return new Promise(() => {});
  },
};
