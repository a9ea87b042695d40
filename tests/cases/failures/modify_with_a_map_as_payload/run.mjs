export const run = () => ({ action: 'modify', payload: new Map([['args', {}]]) });
