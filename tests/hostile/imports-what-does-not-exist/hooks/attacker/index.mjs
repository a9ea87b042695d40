import './nowhere.mjs';

export default { run: () => ({ action: 'allow' }) };
