import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

function settings(from) {
  const found = [];
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, '.agentrc.json');
    if (existsSync(file) && statSync(file).isFile()) {
      const content = JSON.parse(readFileSync(file, 'utf8'));
      found.unshift(content);
      if (content.root) break;
    }
    if (folder === dirname(folder)) break;
  }
  const words = found.flatMap(({ words = [] }) => words);
  return { ...Object.assign({}, ...found), words };
}

export function createHook() {
  const { words, mark } = settings(import.meta.dirname);
  const regex = new RegExp(words.join('|'), 'gi');
  const self = basename(import.meta.filename);
  return {
    run: (point, { text }) =>
      text.search(regex) === -1
        ? { action: 'allow' }
        : { action: 'modify', payload: { text: text.replace(regex, mark) }, note: `${self}: ${words}` },
  };
}
