import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

function check({ path, content }) {
  const folder = mkdtempSync(join(tmpdir(), 'check-'));
  try {
    const file = join(folder, path);
    writeFileSync(file, content);
    const { status, stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
    return status === 0 ? null : (/^(\w*Error)\b/m.exec(stderr)?.[1] ?? `status ${status}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const createHook = () => ({
  async run(point, { toolName, args }) {
    if (toolName === 'evaluate') {
      const { stdout } = await execFileAsync(process.execPath, ['-p', args.expression]);
      return { action: 'ask', reason: stdout.trim() };
    }
    const problem = check(args);
    return problem ? { action: 'block', reason: `${args.path}: ${problem}` } : { action: 'allow' };
  },
});
