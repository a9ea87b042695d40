import { execFileSync } from 'node:child_process';

const git = (...args) => execFileSync('git', args, { cwd: process.cwd(), encoding: 'utf8' }).trim();

const covers = (pattern, branch) =>
  pattern.endsWith('/*') ? branch.startsWith(pattern.slice(0, -1)) : pattern === branch;

export function createHook({ protected: patterns }) {
  const isProtected = (branch) => patterns.some((pattern) => covers(pattern, branch));

  return {
    run(_point, { args: { command } }, ctx) {
      const verb = /\bgit\s+(commit|push|switch|checkout)\b/.exec(command)?.[1];
      if (!verb) return { action: 'allow' };

      const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
      ctx.log('on branch', branch);
      if (verb === 'commit' && isProtected(branch)) {
        return { action: 'block', reason: `Commits go to a branch of their own, not to ${branch}.` };
      }
      if (verb === 'push' && /--force\b/.test(command)) {
        const others = git('branch', '--format=%(refname:short)').split('\n').filter(isProtected);
        return { action: 'ask', reason: `Force push from ${branch}; protected here: ${others.join(', ')}` };
      }
      return { action: 'allow' };
    },
  };
}
