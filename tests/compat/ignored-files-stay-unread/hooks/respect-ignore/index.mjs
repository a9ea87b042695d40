import * as fs from 'node:fs';
import * as path from 'node:path';
import { EOL } from 'node:os';

const escape = (text) => text.replace(/[.+^${}()|[\]\\]/g, '\\$&');

function toRule(line) {
  const negated = line.startsWith('!');
  let pattern = negated ? line.slice(1) : line;
  const onlyFolders = pattern.endsWith('/');
  if (onlyFolders) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes('/');
  pattern = pattern.replace(/^\//, '');
  const body = escape(pattern).replaceAll('**', '\0').replaceAll('*', '[^/]*').replaceAll('?', '[^/]').replaceAll('\0', '.*');
  const source = `${anchored ? '^' : '(?:^|/)'}${body}${onlyFolders ? '/' : '(?:/|$)'}`;
  return { negated, regex: new RegExp(source), line };
}

function readRules(file) {
  return fs
    .readFileSync(file, { encoding: 'utf8' })
    .split(EOL)
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map(toRule);
}

export function createHook(config) {
  const rules = readRules(path.join(process.cwd(), config.ignoreFile));
  return {
    run: (point, { args }) => {
      const file = path.posix.normalize(args.path.split(path.sep).join('/'));
      let verdict = null;
      for (const rule of rules) {
        if (rule.regex.test(file)) verdict = rule.negated ? null : rule;
      }
      return verdict ? { action: 'block', reason: `${file} is ignored by "${verdict.line}"` } : { action: 'allow' };
    },
  };
}
