import { spawn } from 'node:child_process';
import { once } from 'node:events';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const ends = [];
    for (const kill of [(child) => child.kill('SIGKILL'), (child) => process.kill(child.pid, 'SIGKILL')]) {
      const child = spawn('sleep', ['60']);
      const end = once(child, 'exit');
      kill(child);
      ends.push((await end)[1]);
    }
    return { action: 'modify', payload: { args: { ends } } };
  },
};
