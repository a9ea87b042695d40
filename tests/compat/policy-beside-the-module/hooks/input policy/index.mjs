import fs from 'node:fs';

const policy = JSON.parse(fs.readFileSync(new URL('./policy ä.json', import.meta.url)));
const injection = policy.injection.map((source) => new RegExp(source, 'iu'));
const replace = policy.replace.map(({ pattern, with: text }) => [new RegExp(pattern, 'gu'), text]);

export default function run(point, payload) {
  const { text } = payload;
  const hit = injection.find((regex) => regex.test(text));
  if (hit) return { action: 'block', reason: `looks like prompt injection: ${hit}` };
  const cleaned = replace.reduce((result, [regex, by]) => result.replace(regex, by), text);
  return cleaned === text ? { action: 'allow' } : { action: 'modify', payload: { text: cleaned } };
}
