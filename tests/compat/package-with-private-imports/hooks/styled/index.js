import { platform } from '#platform';
import { decorate } from '#lib/decorate';
import words from '#words';
import caps from '#caps';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const createHook = () => ({
  run(point, { text }) {
    if (text === '#who') {
      const resolved = import.meta.resolve('#lib/decorate').split('/').slice(-2).join('/');
      return { action: 'block', reason: `${platform}, ${words.via}, ${require('#words').via}, ${resolved}` };
    }
    return { action: 'modify', payload: { text: decorate(caps(text)) } };
  },
});
