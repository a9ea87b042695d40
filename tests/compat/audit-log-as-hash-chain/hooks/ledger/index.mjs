import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';

const FILE = 'ledger.log';
const ZERO = '0'.repeat(64);
const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex');

let head = ZERO;

function append(entry) {
  const body = JSON.stringify(entry);
  const hash = sha256(head + body);
  const fd = openSync(FILE, 'a', 0o644);
  try {
    writeSync(fd, `${hash} ${body}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  head = hash;
}

function verify() {
  let previous = ZERO;
  const lines = readFileSync(FILE, 'utf-8').split('\n').filter((line) => line.length > 0);
  for (const [index, line] of lines.entries()) {
    const [hash, body] = [line.slice(0, 64), line.slice(65)];
    if (sha256(previous + body) !== hash) return { ok: false, line: index + 1 };
    previous = hash;
  }
  return { ok: previous === head, lines: lines.length, head: previous.slice(0, 12) };
}

export async function createHook() {
  return async function run(point, { toolName, args }) {
    switch (toolName) {
      case 'verify': {
        const { ok, line, lines, head: last } = verify();
        return ok
          ? { action: 'ask', reason: `${lines} entries, head ${last}` }
          : { action: 'block', reason: `the ledger was changed at line ${line}` };
      }
      case 'tamper':
        writeFileSync(FILE, readFileSync(FILE, 'utf-8').replace('12.5', '1.25'));
        return { action: 'allow' };
      default:
        append({ toolName, ...args });
        return { action: 'allow' };
    }
  };
}
