import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const file = join(import.meta.dirname, 'sparse');
    writeFileSync(file, '');
    truncateSync(file, 128 << 20);
    const { length } = readFileSync(file);
    return { action: 'modify', payload: { args: { length } } };
  },
};
