import { generateKeyPair } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export default {
  async run(point, { args }) {
    if (args.n) {
      await readFile(import.meta.filename);
      return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    }
    await new Promise((resolve) => generateKeyPair('dh', { prime: Buffer.alloc(0), generator: 2 }, resolve));
    return { action: 'allow' };
  },
};
