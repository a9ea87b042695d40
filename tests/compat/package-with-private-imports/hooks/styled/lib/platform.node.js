import { basename } from 'node:path';
export const platform = `node (${basename('/a/b')})`;
