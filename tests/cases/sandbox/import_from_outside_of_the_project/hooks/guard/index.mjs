import reason from '../../../outside_files/reason.mjs';

export default { run: () => ({ action: 'block', reason }) };
