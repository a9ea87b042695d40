import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import greet from 'team-words';

const here = dirname(fileURLToPath(import.meta.url));
const version = readFileSync(new URL('../VERSION', import.meta.url), 'utf8').trim();

export default {
  run(point, { text }) {
    if (text !== 'where') return { action: 'modify', payload: { text: greet(text) } };
    return { action: 'block', reason: `${relative(process.cwd(), here)} ${version}` };
  },
};
