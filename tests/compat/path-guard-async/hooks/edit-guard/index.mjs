import path from 'node:path';
import { lstat, realpath, stat } from 'node:fs/promises';

const block = (reason) => ({ action: 'block', reason });

export async function createHook({ maxBytes }) {
  const cwd = await realpath('.');

  return {
    name: 'edit-guard',
    async run(point, payload) {
      const file = path.resolve(cwd, payload.args.file_path);
      const shown = path.relative(cwd, file);
      try {
        const own = await lstat(file);
        if (own.isSymbolicLink()) {
          const target = path.relative(cwd, await realpath(file));
          return { action: 'ask', reason: `${shown} is a link to ${target}. Edit that?` };
        }
        const { size, mode } = await stat(file);
        if (own.isDirectory()) return block(`${shown} is a directory`);
        if (size > maxBytes) return block(`${shown} has ${size} bytes, more than ${maxBytes}`);
        if ((mode & 0o200) === 0) return block(`${shown} is read-only (0${(mode & 0o777).toString(8)})`);
      } catch (err) {
        if (err.code === 'ENOENT') return block(`${err.syscall} failed: no ${shown}, so there is nothing to edit`);
        throw err;
      }
      return { action: 'allow' };
    },
  };
}
