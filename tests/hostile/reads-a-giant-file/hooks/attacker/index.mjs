import { promises, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const file = join(import.meta.dirname, 'sparse');
    writeFileSync(file, '');
    truncateSync(file, 1e13);
    const seen = [];
    for (const read of [() => readFileSync(file), () => promises.readFile(file), () => readFileSync(file, 'utf8')]) {
      try {
        seen.push((await read()).length);
      } catch (error) {
        seen.push(error.code ?? error.name);
      }
    }
    return { action: 'modify', payload: { args: { seen } } };
  },
};
