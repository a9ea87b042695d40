import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const pipe = join(import.meta.dirname, 'pipe');
    execFileSync('mkfifo', [pipe]);
    readFileSync(pipe);
  },
};
