// Requests to the service this page comes from.

const KEY = 'hookhost-token';

export const token = {
  get: () => sessionStorage.getItem(KEY),
  set: (value) => sessionStorage.setItem(KEY, value),
  forget: () => sessionStorage.removeItem(KEY),
};

/** An answer that is none. */
export class Refusal extends Error {
  constructor(status, error, wait) {
    const known = error?.known ? ` Known: ${error.known.join(', ')}.` : '';
    const again = wait ? ` Try again in ${wait} s.` : '';
    super(`${error?.message ?? `The service answered ${status}.`}${known}${again}`);
    this.status = status;
  }
}

const headers = () => (token.get() ? { authorization: `Bearer ${token.get()}` } : {});

async function checked(response) {
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new Refusal(response.status, body?.error, response.headers.get('retry-after'));
}

export async function get(path) {
  return (await checked(await fetch(path, { headers: headers() }))).json();
}

export async function post(path, body = {}) {
  const options = {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  return (await checked(await fetch(path, options))).json();
}

/** Server-sent events. Not EventSource, which cannot send a token. `opened` is called when the service listens. */
export async function* events(path, signal, opened) {
  const response = await checked(await fetch(path, { headers: headers(), signal }));
  opened();
  let rest = '';
  for await (const text of pieces(response.body.pipeThrough(new TextDecoderStream()))) {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop();
    // A piece without data is a sign of life.
    yield* parts.map(event);
  }
}

async function* pieces(stream) {
  const reader = stream.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

function event(text) {
  const lines = text.split('\n');
  const field = (name) => lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim());
  const data = field('data').join('\n');
  return { type: field('event')[0] ?? null, data: data ? JSON.parse(data) : null };
}
