import limits from './limits.cjs';
import * as texts from './texts.cjs';
import { shouting, tooLong } from './texts.cjs';

if (texts.default.shouting !== shouting || texts.lang !== 'en') throw new Error('the namespace is not what it was');

export const createHook = () => ({
  run(point, { text }) {
    if (text.length > limits.longest) return { action: 'block', reason: tooLong(text.length) };
    if (limits.shouting && text === text.toUpperCase()) return { action: 'block', reason: shouting };
    return { action: 'allow' };
  },
});
