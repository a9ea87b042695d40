// The same hooks in Node itself. Reads from stdin `{ "<hook's folder>": [payload, ...] }`, and writes what they reply,
// call by call: `{ "<hook's folder>": [reply, ...] }`.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

/** As docs/hook-format.md has it. */
async function load(folder) {
  const handler = ['index.mjs', 'index.js'].map((name) => join(folder, name)).find((path) => existsSync(path));
  const module = await import(pathToFileURL(handler));
  const { config = {} } = JSON.parse(readFileSync(join(folder, 'hook.json'), 'utf8'));
  const exported = module.createHook ?? module.default;
  if (typeof exported !== 'function') return exported;
  const made = await exported(config);
  return typeof made === 'function' ? { run: made } : made;
}

const replies = {};
for (const [folder, payloads] of Object.entries(JSON.parse(await text(process.stdin)))) {
  const hook = await load(folder);
  replies[folder] = [];
  for (const payload of payloads) replies[folder].push(await hook.run('preToolUse', payload, { log() {} }));
}
console.log(JSON.stringify(replies));
