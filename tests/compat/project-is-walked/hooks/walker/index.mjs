import { access, constants, cp, lstat, mkdir, opendir, readdir, rm, rmdir } from 'node:fs/promises';
import { existsSync, opendirSync } from 'node:fs';
import path from 'node:path';

const SKIP = new Set(['node_modules', 'hooks', '.git']);

async function* walk(folder) {
  for await (const entry of await opendir(folder)) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIP.has(entry.name)) yield* walk(file);
    } else yield { file, link: entry.isSymbolicLink() };
  }
}

async function index() {
  const rows = [];
  for await (const { file, link } of walk('.')) {
    if (!file.startsWith('src') && !file.startsWith('backup')) continue;
    const { size } = await lstat(file);
    rows.push(link ? `${file}@` : `${file}:${size}`);
  }
  return rows.sort();
}

const tools = {
  async index() {
    const deep = (await readdir('src', { recursive: true })).length;
    const first = opendirSync('src/deep/er').readSync().name;
    return { action: 'ask', reason: `${(await index()).join(' ')} (${deep} entries, ${first})` };
  },
  async copy({ from, to }) {
    await mkdir(path.dirname(to), { recursive: true });
    await cp(from, to, { recursive: true, filter: (source) => !source.endsWith('.css') });
    return { action: 'allow' };
  },
  async remove({ path: target }) {
    if (target === 'src') return { action: 'block', reason: 'src stays' };
    await access(target, constants.R_OK | constants.W_OK);
    const error = await rmdir(target).catch((reason) => reason);
    await rm(target, { recursive: true, force: true });
    return { action: 'ask', reason: `${error.code} by ${error.syscall}, then gone: ${!existsSync(target)}` };
  },
};

export default { run: (point, { toolName, args }) => tools[toolName](args) };
