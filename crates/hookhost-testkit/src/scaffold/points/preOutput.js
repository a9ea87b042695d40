config: { blocked: string[]; masked: string[]; longest: number }
---
Looks at what the assistant wrote, before the user sees it.
---
const { blocked, masked, longest } = config;
// A slip in the config must not open the door: what throws is decided by failPolicy.
if (!Array.isArray(blocked) || !Array.isArray(masked)) throw new TypeError('config needs the lists blocked and masked');

return {
  run(point, payload, ctx) {
    if (typeof payload.text !== 'string') throw new TypeError('payload.text must be a string');

    const word = blocked.find((word) => payload.text.includes(word));
    if (word) return { action: 'block', reason: `The answer was held back: it speaks of ${word}.` };
    if (payload.text.length > longest) return { action: 'ask', reason: 'The answer is long. Show it?' };

    const text = masked.reduce((text, word) => text.replaceAll(word, '[masked]'), payload.text);
    if (text === payload.text) return { action: 'allow' };
    ctx.log('masked some words');
    return { action: 'modify', payload: { text }, note: 'masked some words' };
  },
};
