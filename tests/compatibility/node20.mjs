// Writes node20.json: what Node itself says to the questions that the test asks hooks. Run it with Node 20:
//
//     node tests/compatibility/node20.mjs

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';

import { look } from './hooks/probe/index.mjs';

// Those that are found by their prefix only are in no list of Node 20.
const PREFIXED = ['node:sea', 'node:sqlite', 'node:test', 'node:test/reporters'];

const self = fileURLToPath(import.meta.url);

/** Asks in a process of its own: some answers end it, and some change what is asked after it. */
function ask(question) {
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, [self, JSON.stringify(question)], {
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
    encoding: 'utf8',
    input: 'from stdin',
    maxBuffer: 2 ** 26,
  });
  const answer = stdout.split('\n').find((line) => line.startsWith('{"seen":') || line === '{}');
  if (answer) return JSON.parse(answer).seen;
  const why = stderr.split('\n').find((line) => /^\w*Error/.test(line));
  const end = signal ?? `code ${status}`;
  return { ended: why ? `${end}, ${why}` : end };
}

function asked(question) {
  const answer = ask(question);
  if (answer.ended) throw new Error(`${JSON.stringify(question)}: the process ended with ${answer.ended}`);
  return answer;
}

/** JSON with a line for each value that is `depth` objects deep. */
function lines(value, depth, indent = '') {
  if (depth === 0 || value === null || typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value);
  const inner = `${indent} `;
  const fields = Object.entries(value).map(([key, field]) => `${inner}${JSON.stringify(key)}: ${lines(field, depth - 1, inner)}`);
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n${indent}}`;
}

if (process.argv[2]) {
  const seen = await look(JSON.parse(process.argv[2]));
  process.stdout.write(`\n${JSON.stringify({ seen })}\n`, () => process.exit());
} else {
  if (!process.version.startsWith('v20.')) throw new Error(`this is Node ${process.version}; the reference is Node 20`);
  const modules = {};
  for (const name of [...builtinModules, ...PREFIXED].sort()) modules[name] = asked({ what: 'builtin', name });
  const checks = {};
  for (const name of ['globalThis', ...asked({ what: 'modules with checks' })].sort()) checks[name] = asked({ what: 'checks', name });
  const facts = {};
  for (const group of ['modules', 'process', 'globals']) {
    facts[group] = {};
    for (const fact of asked({ what: 'facts', name: group })) facts[group][fact] = ask({ what: 'fact', name: [group, fact] });
  }
  const seen = { globals: asked({ what: 'globals' }), modules, checks };
  const all = { version: process.version, seen, facts };
  const here = fileURLToPath(new URL('.', import.meta.url));
  writeFileSync(new URL('node20.json', import.meta.url), `${lines(all, 4).replaceAll(`${here}hooks/probe/`, '<hook>/').replaceAll(here, '<project>/')}\n`);
}
