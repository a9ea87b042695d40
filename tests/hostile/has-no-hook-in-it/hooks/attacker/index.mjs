const hook = { run: () => ({ action: 'allow' }) };
