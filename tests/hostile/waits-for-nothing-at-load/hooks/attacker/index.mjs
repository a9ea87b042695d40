await new Promise(() => {});

export default { run: () => ({ action: 'allow' }) };
