import { exec as execCallback, execFile as execFileCallback } from 'node:child_process';
import { promisify } from 'node:util';

const exec = promisify(execCallback);
const execFile = promisify(execFileCallback);

async function changedLines(base) {
  const { stdout } = await execFile('git', ['diff', '--numstat', base], { maxBuffer: 1 << 20 });
  let sum = 0;
  let binary = 0;
  for (const row of stdout.split('\n').filter(Boolean)) {
    const [added, removed] = row.split('\t');
    if (added === '-') binary++;
    else sum += Number.parseInt(added, 10) + Number.parseInt(removed, 10);
  }
  return { sum, binary };
}

export async function createHook({ maxLines }) {
  const { stdout, stderr } = await exec('git rev-list --count HEAD && echo warned >&2');
  const commits = Number(stdout);
  const warned = stderr.trim();

  return {
    async run(_point, { args: { base } }, ctx) {
      try {
        const { sum, binary } = await changedLines(base);
        if (sum <= maxLines) return { action: 'allow' };
        return { action: 'block', reason: `${sum} lines and ${binary} binaries in ${commits} commits: split it (${warned})` };
      } catch (error) {
        ctx.log(error.stderr);
        const { code, killed, signal, cmd } = error;
        return { action: 'ask', reason: `git said ${code} (killed ${killed}, signal ${signal}) to: ${cmd}` };
      }
    },
  };
}
