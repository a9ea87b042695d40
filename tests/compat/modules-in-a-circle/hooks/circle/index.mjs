import { next, summary, count } from './state.mjs';
import { early } from './describe.mjs';

export * from './state.mjs';
export let createHook;
export { early as 'early bird' };

await Promise.resolve();
createHook = () => ({
  run(point, { toolName }) {
    next();
    if (toolName === 'a') return { action: 'allow' };
    return { action: count > 2 ? 'block' : 'ask', reason: `${summary()} (${early})` };
  },
});
