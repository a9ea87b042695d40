import './setup.mjs';
import './long-words.mjs';
import './too-short.mjs';
import './too-short.mjs?once';

const checks = globalThis[Symbol.for('checks')];

export default (config) => ({
  run(point, { text }) {
    const failed = checks.filter(({ fails }) => fails(text)).map(({ name }) => name);
    const last = failed.lastOf((name) => name !== '');
    if (failed.length === 0) return { action: 'allow' };
    return { action: failed.length > 3 ? 'block' : 'ask', reason: `${last}: ${failed.length} of ${checks.length}` };
  },
});
