#!/usr/bin/env node
// As a hook, or by hand: ./index.mjs 'curl http://example.com'
import { pathToFileURL } from 'node:url';
import { argv, exit } from 'node:process';

const PLAIN = /\bhttp:\/\/(?!localhost\b|127\.0\.0\.1\b)[^\s'"]+/;

export function check(command) {
  const found = PLAIN.exec(command);
  return found && `${found[0]} is not encrypted`;
}

export function createHook() {
  return {
    run(_point, payload) {
      const problem = check(payload.args?.command ?? '');
      return problem ? { action: 'block', reason: problem } : { action: 'allow' };
    },
  };
}

if (import.meta.url === pathToFileURL(argv[1]).href) {
  const problem = check(argv.slice(2).join(' '));
  if (problem) console.error(problem);
  exit(problem ? 1 : 0);
}
