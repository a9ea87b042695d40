import { execFileSync, spawnSync } from 'node:child_process';

// A program that was not started must not look like one that has found nothing wrong.
export default {
  run() {
    try {
      execFileSync('git', ['--version']);
    } catch (error) {
      console.log(error.message, error.code, error.status);
    }
    const git = spawnSync('git', ['diff', '--quiet']);
    if (git.error) throw git.error;
    if (git.status > 0) return { action: 'block', reason: 'the tree is dirty' };
    return { action: 'allow' };
  },
};
