import { ALL, PATTERNS } from './patterns.js';

const kindOf = (groups) => Object.entries(groups).find(([, value]) => value !== undefined)[0];

function redact(value, found) {
  if (typeof value === 'string') {
    return value.replace(ALL, (...args) => {
      const kind = kindOf(args.at(-1));
      found.add(kind);
      return `[${kind}]`;
    });
  }
  if (Array.isArray(value)) return value.map((item) => redact(item, found));
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, found)]));
  }
  return value;
}

export async function createHook() {
  const count = Object.keys(PATTERNS).length;
  return {
    async run(point, payload, ctx) {
      const found = new Set();
      const field = point === 'preToolUse' ? 'args' : 'result';
      const clean = redact(payload[field], found);
      if (found.size === 0) return { action: 'allow' };
      ctx.log(`${count} patterns, found:`, found);
      const kinds = [...found].sort().join(', ');
      if (point === 'preToolUse' || found.has('privateKey')) return { action: 'block', reason: `secrets: ${kinds}` };
      return { action: 'modify', payload: { result: clean }, note: kinds };
    },
  };
}
