// Stops the commands nobody wants to see an agent run.

export function createHook(config = {}) {
  const deny = (config.deny ?? []).map(({ pattern, reason }) => ({ regex: new RegExp(pattern), reason }));
  const confirm = (config.confirm ?? []).map((pattern) => new RegExp(pattern));

  return {
    run(point, payload, ctx) {
      const command = payload?.args?.command;
      if (typeof command !== 'string') return { action: 'allow' };

      for (const { regex, reason } of deny) {
        if (regex.test(command)) {
          ctx.log(`denied: ${command}`);
          return { action: 'block', reason: `Command refused: ${reason}.` };
        }
      }
      if (confirm.some((regex) => regex.test(command))) {
        return { action: 'ask', reason: 'This throws work away. Run it?' };
      }
      return { action: 'allow' };
    },
  };
}
