import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import process from 'node:process';

const __filename = fileURLToPath(import.meta.url);
const __dirname = dirname(__filename);

const guards = {
  endsWith: process.argv[1].endsWith('index.mjs'),
  same: process.argv[1] === __filename,
  real: realpathSync(process.argv[1]) === realpathSync(__filename),
  resolved: resolve(process.argv[1]) === resolve(__dirname, 'index.mjs'),
  basename: basename(process.argv[1]) === basename(__filename),
  main: Boolean(import.meta.main),
  argv: process.argv.slice(2).includes('--self-test'),
  npm: process.env.npm_lifecycle_event === 'hook',
};

if (Object.values(guards).some(Boolean)) {
  console.error('I am a command:', guards);
  process.exit(3);
}

export const createHook = () => ({
  run(point, { text }) {
    if (!text.includes('who')) return { action: 'allow' };
    const parts = [process.argv.length >= 2, typeof process.argv0, typeof process.execPath, Array.isArray(process.execArgv)];
    return { action: 'block', reason: `${basename(__dirname)} ${parts.join(' ')} ${Object.keys(guards).length}` };
  },
});
