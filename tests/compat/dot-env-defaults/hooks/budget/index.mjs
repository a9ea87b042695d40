import { readFileSync } from 'fs';

const LINE = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#\r\n]*))/gm;

// What the process already has wins, as everybody's dotenv does it.
for (const [, name, double, single, bare] of readFileSync('.env', 'utf8').matchAll(LINE)) {
  process.env[name] ??= double ?? single ?? bare.trim();
}

const maxTokens = Number(process.env.MAX_TOKENS ?? 4000);
const prefix = process.env.KEY_PREFIX || 'sk-';
const verbose = Boolean(process.env.DEBUG);
const missing = process.env.SURELY_NOT_SET_BY_ANYONE || 'fallback';

export default {
  run(point, { text }) {
    if (text === '!env') {
      delete process.env.EMPTY;
      process.env.COUNT = 3;
      const seen = [process.env.GREETING, 'EMPTY' in process.env, typeof process.env.COUNT, missing, verbose, 'MAX_TOKENS' in process.env];
      return { action: 'block', reason: seen.join('|') };
    }
    if (text.includes(prefix)) return { action: 'block', reason: `text has a key (${prefix}...)` };
    const tokens = Math.ceil(text.length / 4);
    return tokens > maxTokens ? { action: 'ask', reason: `${tokens} tokens, limit ${maxTokens}` } : { action: 'allow' };
  },
};
