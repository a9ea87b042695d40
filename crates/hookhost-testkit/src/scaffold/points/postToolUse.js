config: { blocked: string[]; masked: string[]; longest: number }
---
Looks at what a tool gave back, before the model sees it.
---
const { blocked, masked, longest } = config;
// A slip in the config must not open the door: what throws is decided by failPolicy.
if (!Array.isArray(blocked) || !Array.isArray(masked)) throw new TypeError('config needs the lists blocked and masked');

return {
  run(point, payload, ctx) {
    if (payload.result === undefined) throw new TypeError('payload.result is missing');

    // Every text in the result, as it is: in the result's JSON, a quote would be written with a backslash.
    const texts = new Set(['']);
    const result = JSON.parse(JSON.stringify(payload.result), (key, value) => {
      texts.add(key);
      if (typeof value !== 'string') return value;
      texts.add(value);
      return masked.reduce((text, word) => text.replaceAll(word, '[masked]'), value);
    });

    const word = blocked.find((word) => [...texts].some((text) => text.includes(word)));
    if (word) return { action: 'block', reason: `The result was withheld: it speaks of ${word}.` };
    if ([...texts].join('').length > longest) {
      return { action: 'ask', reason: `Give the model all of ${payload.toolName}'s result?` };
    }
    if (JSON.stringify(result) === JSON.stringify(payload.result)) return { action: 'allow' };
    ctx.log(`masked some words of ${payload.toolName}`);
    return { action: 'modify', payload: { result }, note: 'masked some words' };
  },
};
