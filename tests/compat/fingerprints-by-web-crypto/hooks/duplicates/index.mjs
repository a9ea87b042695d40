const { subtle } = globalThis.crypto;
const encoder = new TextEncoder();
const seen = new Map();

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function makeKey() {
  const k = btoa('a shared secret of 32 bytes!!!!!').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const jwk = { kty: 'oct', k, alg: 'HS256', ext: true };
  const key = await subtle.importKey('jwk', jwk, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);
  const { k: back } = await subtle.exportKey('jwk', key);
  if (back !== k) throw new Error('the key came back as another');
  return key;
}

export async function createHook() {
  const key = await makeKey();
  return {
    async run(_point, { text }) {
      const normal = encoder.encode(text.trim().toLowerCase());
      const print = hex(await subtle.sign('HMAC', key, normal)).slice(0, 16);
      const count = (seen.get(print) ?? 0) + 1;
      seen.set(print, count);
      if (count === 1) return { action: 'allow' };
      const digest = hex(await subtle.digest('SHA-384', normal)).slice(0, 8);
      return { action: count > 2 ? 'block' : 'ask', reason: `said ${count} times: ${print} ${digest}` };
    },
  };
}
