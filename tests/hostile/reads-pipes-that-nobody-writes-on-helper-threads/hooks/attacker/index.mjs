import { execFileSync } from 'node:child_process';
import { promises } from 'node:fs';
import { join } from 'node:path';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const pipes = Array.from({ length: 20 }, (_, number) => join(import.meta.dirname, `pipe${number}`));
    execFileSync('mkfifo', pipes);
    await Promise.all(pipes.map((pipe) => promises.readFile(pipe)));
  },
};
