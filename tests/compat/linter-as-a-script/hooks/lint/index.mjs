import { spawnSync } from 'node:child_process';
import { extname, join } from 'node:path';

const linter = join(process.cwd(), 'tools', 'lint.cjs');

export function createHook({ extensions }) {
  return {
    run(point, { args: { path, content } }) {
      if (!extensions.includes(extname(path))) return { action: 'allow' };
      const { status, stdout, stderr } = spawnSync('node', [linter, '--stdin-filename', path], {
        input: content,
        encoding: 'utf8',
      });
      const findings = stdout === '' ? null : JSON.parse(stdout);
      if (status === 0) return { action: 'allow' };
      if (status !== 1 || findings === null) {
        const line = stderr.split('\n').find((text) => text.includes('Error'));
        throw new Error(`lint exited with ${status}: ${line}`);
      }
      const told = findings.map(({ line, rule }) => `${path}:${line} ${rule}`).join(', ');
      return { action: 'deny', reason: `Fix first: ${told}` };
    },
  };
}
