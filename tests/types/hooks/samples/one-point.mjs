/** @type {import('../../hookhost.d.ts').CreateHook<{ limit: number }, 'preToolUse'>} */
export const createHook = ({ limit }) => ({
  run(point, payload, ctx) {
    ctx.log(payload.toolName.toUpperCase(), limit.toFixed(1), ctx.caller?.userId);
    if (payload.args.x > limit) return { action: 'block', reason: 'no' };
    if (payload.extra === 3) return { action: 'modify', payload: { args: {} }, note: 'x' };
    return { action: 'allow' };
  },
});
