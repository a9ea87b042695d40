import word from 'words';

import reason from '../../shared/reason.mjs';

export default { run: () => ({ action: 'block', reason: `${reason} ${word}` }) };
