import { execSync } from 'node:child_process';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    execSync('sleep 14');
  },
};
