setInterval(() => {}, 50);
await new Promise(() => {});

export default { run: () => ({ action: 'allow' }) };
