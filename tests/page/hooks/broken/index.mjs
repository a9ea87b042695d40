export default { run: () => ({ action: 'allow' }) };
