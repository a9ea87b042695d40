import { spawn } from 'node:child_process';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    spawn('sleep', ['3'], { detached: true, stdio: 'ignore' }).unref();
    spawn('sleep', ['3']).on('exit', () => {});
    return { action: 'modify', payload: { args: {} } };
  },
};
