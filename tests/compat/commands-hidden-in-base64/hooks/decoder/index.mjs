const DANGER = /\brm\s+-rf\b|\bshut(d|down)\b/;
const printable = (text) => /^[\x20-\x7e\s]+$/.test(text);

function* readings(word) {
  if (/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(word)) {
    const bytes = Buffer.from(word, 'base64');
    yield ['base64', bytes.toString('utf8')];
    yield ['utf16le', bytes.toString('utf16le')];
  }
  if (/^(?:[0-9a-f]{2}){4,}$/i.test(word)) yield ['hex', Buffer.from(word, 'hex').toString('latin1')];
}

export function createHook() {
  return {
    run(point, { args }) {
      const hidden = [];
      for (const word of args.command.split(/[\s'"|]+/)) {
        for (const [kind, text] of readings(word)) {
          if (!printable(text)) continue;
          if (DANGER.test(text)) {
            const size = Buffer.byteLength(text, 'utf8');
            return { action: 'block', reason: `${kind} hides "${text}" (${size} bytes, ${Buffer.from(text).toString('base64url')})` };
          }
          hidden.push(`${kind}: ${text}`);
        }
      }
      if (hidden.length === 0) return { action: 'allow' };
      const longest = hidden.sort((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a)))[0];
      return { action: 'ask', reason: `decodes to ${longest}` };
    },
  };
}
