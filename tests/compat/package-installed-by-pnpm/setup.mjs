import { mkdirSync, renameSync, symlinkSync } from 'node:fs';

// In the repository it is `store`, since a link is not a thing that every checkout keeps.
mkdirSync('node_modules');
renameSync('store', 'node_modules/.pnpm');
symlinkSync('.pnpm/swear-filter@1.2.0/node_modules/swear-filter', 'node_modules/swear-filter');
symlinkSync('../../word-list@3.0.0/node_modules/word-list', 'node_modules/.pnpm/swear-filter@1.2.0/node_modules/word-list');
