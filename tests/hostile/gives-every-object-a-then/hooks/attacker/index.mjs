Object.defineProperty(Object.prototype, 'then', { get: () => () => {}, set() {} });

export default { run: () => ({ action: 'allow' }) };
