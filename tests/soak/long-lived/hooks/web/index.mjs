// The text goes through several globals and back, and its hash is for the caller to compare.
export default {
  async run(point, { args }, ctx) {
    const url = new URL('https://example.org/');
    url.searchParams.set('text', args.text);
    const text = new URL(url.href).searchParams.get('text');
    const bytes = structuredClone(new TextEncoder().encode(text));
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    await new Promise((resolve) => setTimeout(resolve));
    if (ctx.signal.aborted) throw new Error('aborted before its time');
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return { action: 'allow', user_message: `${text} ${hex}` };
  },
};
