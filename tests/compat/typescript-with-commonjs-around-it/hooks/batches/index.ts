import { createRequire } from 'node:module';
import unique from 'unique-list';
import settings from './settings.cjs';

interface Settings {
  version: number;
  limit: number;
}

const require = createRequire(import.meta.url);
const again: Settings = require('./settings.cjs') as Settings;
const { limit, version } = settings as Settings;

export async function createHook() {
  if (again !== settings) throw new Error('two copies of the settings');
  return async function run(point: string, payload: { args: { files: string[] } }) {
    const files: string[] = unique(payload.args.files, (file: string) => file.trim().toLowerCase());
    if (files.length > limit) return { action: 'block', reason: `${files.length} files, ${limit} allowed (v${version})` };
    if (files.length === payload.args.files.length) return { action: 'allow' };
    return { action: 'modify', payload: { args: { files } } };
  };
}
