import { execFileSync } from 'node:child_process';
import { mkdtempSync, promises } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const folder = mkdtempSync(join(tmpdir(), 'hook-'));
    const pipes = Array.from({ length: 20 }, (_, number) => join(folder, `pipe${number}`));
    execFileSync('mkfifo', pipes);
    await Promise.all(pipes.map((pipe) => promises.readFile(pipe)));
  },
};
