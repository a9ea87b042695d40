const number = Number(new URL(import.meta.url).searchParams.get('number') ?? 0);
await import(`./index.mjs?number=${number + 1}`);

export default { run: () => ({ action: 'allow' }) };
