import { describe } from './describe.mjs';

export let count = 0;
export const next = () => ++count;
export const summary = () => describe(count);
