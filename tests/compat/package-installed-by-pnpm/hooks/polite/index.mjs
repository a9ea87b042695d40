import { find, folder } from 'swear-filter';

// It is no dependency of ours, and pnpm does not let us have it.
const stray = await import('word-list').then(
  () => 'found',
  (error) => error.code,
);

export const createHook = () => ({
  run: (point, { text }) => {
    if (text === '?') return { action: 'block', reason: `${folder}, word-list: ${stray}` };
    const found = find(text);
    return found.length ? { action: 'ask', reason: `Did you have to say ${found.join(' and ')}?` } : { action: 'allow' };
  },
});
