export const run = () => ({ action: 'modify', payload: { args: undefined } });
