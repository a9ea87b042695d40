import { execFileSync } from 'node:child_process';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    try {
      process.kill(-Number(execFileSync('cut', ['-d', ' ', '-f', '5', '/proc/self/stat'])), 'SIGURG');
    } finally {
      ctx.log('still here');
    }
  },
};
