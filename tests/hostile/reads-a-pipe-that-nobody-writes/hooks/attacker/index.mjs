import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const pipe = join(mkdtempSync(join(tmpdir(), 'hook-')), 'pipe');
    execFileSync('mkfifo', [pipe]);
    readFileSync(pipe);
  },
};
