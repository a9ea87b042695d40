import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const child = fork(fileURLToPath(new URL('child.mjs', import.meta.url)), { silent: true });
    const [, signal] = await once(child, 'exit');
    return { action: 'modify', payload: { args: { signal } } };
  },
};
