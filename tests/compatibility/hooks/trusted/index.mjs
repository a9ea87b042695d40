export { createHook } from '../probe/index.mjs';
