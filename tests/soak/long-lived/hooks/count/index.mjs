// Module state lives on from call to call, and nobody else can touch it: every number comes once.
let calls = 0;

export const createHook = () => (point, payload, ctx) => {
  calls += 1;
  ctx.log(calls);
  return { action: 'continue' };
};
