// Values as JSON that says what they are, so that what Node and a hook see can be compared.

export function plain(value) {
  switch (typeof value) {
    case 'undefined':
      return 'undefined';
    case 'bigint':
      return `${value}n`;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : `number ${Object.is(value, -0) ? '-0' : value}`;
    case 'string':
      return value.isWellFormed() ? value : `no Unicode: ${JSON.stringify(value)}`;
    case 'function':
      return 'function';
    case 'symbol':
      return String(value);
    case 'object':
      return plainObject(value);
    default:
      return value;
  }
}

function plainObject(value) {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return `date ${value.toISOString()}`;
  if (value instanceof Error) return problem(value);
  if (value instanceof ArrayBuffer) return `bytes ${hex(new Uint8Array(value))}`;
  if (ArrayBuffer.isView(value)) return `bytes ${hex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))}`;
  if (value instanceof Map) return { map: [...value].map(plain) };
  if (value instanceof Set) return { set: [...value].map(plain) };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What an error is, without its message: that changes from version to version. */
function problem(error) {
  return error.code === undefined ? `error ${error.name}` : `error ${error.name} ${error.code}`;
}

/** What an error says. */
export function said(error) {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  const code = error.code === undefined || typeof error.code === 'number' ? '' : ` [${error.code}]`;
  return `${error.name}${code}: ${String(error.message).split('\n')[0]}`;
}

/** The value of a promise, or an error after `ms` milliseconds. */
export function within(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** What `check` returns or throws within `ms` milliseconds, as JSON. */
export async function outcome(check, ms) {
  try {
    return { value: plain(await within(ms, Promise.resolve().then(check))) };
  } catch (error) {
    return { error: said(error) };
  }
}
