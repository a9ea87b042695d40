import { readFile } from 'node:fs/promises';

export async function createHook() {
  const rules = JSON.parse(await readFile(new URL('./rules.local.json', import.meta.url), 'utf8'));
  return { run: () => rules.decision };
}
