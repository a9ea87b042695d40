export default { run: () => ({ action: 'ask', reason: 'Really?' }) };
