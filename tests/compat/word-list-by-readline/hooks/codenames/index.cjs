throw new Error('only index.mjs, index.js and index.ts are handlers');
