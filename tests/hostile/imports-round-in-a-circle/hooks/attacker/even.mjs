import { odd } from './odd.mjs';
export const even = (n) => n === 0 || odd(n - 1);
