import { core } from 'ext:core/mod.js';

export default { run: () => ({ action: 'allow', note: String(core) }) };
