import { words } from './words';
import type { Rule } from './types.js';

export const shouting: Rule = (text) => /\b\p{Lu}{4,}\b/u.exec(text)?.[0];

export const clean = (text: string): string =>
  words.reduce((result: string, word: string) => result.replaceAll(word, '*'.repeat(word.length)), text);
