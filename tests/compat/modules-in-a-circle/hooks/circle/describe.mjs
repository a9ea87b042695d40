import { count, next } from './state.mjs';
import * as all from './index.mjs';

export function describe(number) {
  return `call ${number} of ${count}, ${typeof next}, ${Object.keys(all).sort().join(' ')}`;
}

export const early = (() => {
  try {
    return count;
  } catch (error) {
    return error.name;
  }
})();
