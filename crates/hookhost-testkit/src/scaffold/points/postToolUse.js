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
    const text = JSON.stringify(payload.result);

    const word = blocked.find((word) => text.includes(word));
    if (word) return { action: 'block', reason: `The result was withheld: it speaks of ${word}.` };
    if (text.length > longest) return { action: 'ask', reason: `Give the model all of ${payload.toolName}'s result?` };

    const cleaned = masked.reduce((text, word) => text.replaceAll(word, '[masked]'), text);
    if (cleaned === text) return { action: 'allow' };
    ctx.log(`masked some words of ${payload.toolName}`);
    return { action: 'modify', payload: { result: JSON.parse(cleaned) }, note: 'masked some words' };
  },
};
