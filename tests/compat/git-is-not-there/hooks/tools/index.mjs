import { execFileSync, spawnSync } from 'node:child_process';
import { parse } from 'node:path';

export default class Tools {
  static run(point, { args }) {
    try {
      execFileSync(args.program, args.args, {
        stdio: 'pipe',
        timeout: args.program === 'sleep' ? 300 : 15000,
        env: { ...process.env, GIT_CEILING_DIRECTORIES: parse(process.cwd()).dir },
      });
      const { status, signal, output } = spawnSync(args.program, args.args);
      return { action: 'ask', reason: `fine: ${status} ${signal} ${output.length}` };
    } catch (error) {
      const { code, status, signal, syscall, path, stdout, stderr } = error;
      const out = stdout?.toString().trim();
      const err = stderr?.toString().split(/[:\n]/)[0];
      // A program that is not there has neither.
      const ended = code === 'ENOENT' ? {} : { status, signal };
      return { action: 'block', reason: JSON.stringify({ code, ...ended, syscall, path, out, err }) };
    }
  }
}
