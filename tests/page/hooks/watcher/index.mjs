export default { run: () => ({ action: 'block', reason: 'I would not' }) };
