process.exit(5);

export default { run: () => ({ action: 'allow' }) };
