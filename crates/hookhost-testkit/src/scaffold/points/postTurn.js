config: { loud: boolean }
---
Looks at a turn that is over. Its answer is recorded and has no effect: here it is for the log alone.
---
const { loud } = config;
if (typeof loud !== 'boolean') throw new TypeError('config.loud must be true or false');

return {
  run(point, payload, ctx) {
    const calls = Array.isArray(payload.toolCalls) ? payload.toolCalls.length : 0;
    if (loud || calls > 0) ctx.log(`a turn of ${payload.text.length} characters and ${calls} tool calls`);
    return { action: 'allow' };
  },
};
