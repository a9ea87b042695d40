class Ask {
  action = 'ask';
  constructor(reason) {
    this.reason = reason;
  }
}

const ALLOW = Object.freeze({ action: 'allow' });

export default async function naps(point, { toolName, args: { seconds = 30, ...rest } }, { context = {}, caller, hookName }) {
  const limit = Number(context.sleepLimit ?? 60);
  if (caller?.userId === 'root') return { action: 'modify', payload: { args: { seconds: 0, ...rest } }, note: hookName };
  if (seconds <= limit) return ALLOW;
  if (seconds > 10 * limit) return { action: 'block', reason: `${toolName} for ${seconds} s at ${point}` };
  return new Ask(`${seconds} s?`);
}
