import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { order } from './order.mjs';

order.push('index begins');
const folder = join(process.cwd(), 'rules');
const names = (await readdir(folder)).sort();
const words = await Promise.all(names.map(async (name) => (await readFile(join(folder, name), 'utf8')).trim()));
const waited = await sleep(5, 'waited');

let late = 'not yet';
for await (const text of (async function* () {
  yield* ['almost', 'ready'];
})()) {
  late = text;
}
order.push(`index ends, ${waited}, ${late}`);

export default {
  run(point, { text }) {
    const word = words.find((candidate) => text.includes(candidate));
    if (!word) return { action: 'allow' };
    return { action: 'block', reason: word === 'order' ? order.join('; ') : `the word ${word}` };
  },
};
