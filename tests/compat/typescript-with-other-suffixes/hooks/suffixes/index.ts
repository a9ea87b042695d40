import { clean, shouting } from './rules.js';
import { told } from './lib/texts.mjs';

export function createHook() {
  return {
    run(_point: string, { text }: { text: string }) {
      const word = shouting(text);
      if (word !== undefined) return { action: 'block', reason: told(word) };
      const better = clean(text);
      return better === text ? { action: 'allow' } : { action: 'modify', payload: { text: better } };
    },
  };
}
