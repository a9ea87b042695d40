import { even } from './even.mjs';
import './index.mjs';
export const odd = (n) => n !== 0 && even(n - 1);
