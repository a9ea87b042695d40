import fs from 'node:fs';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    while (true) fs.readdirSync('/usr', { recursive: true });
  },
};
