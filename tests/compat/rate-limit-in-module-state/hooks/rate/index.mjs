const calls = new Map();
const HOUR = 60 * 60 * 1000;

export async function createHook({ perHour }) {
  return {
    async run(_point, { toolName }) {
      const now = Date.now();
      const recent = (calls.get(toolName) ?? []).filter((time) => now - time < HOUR);
      recent.push(now);
      calls.set(toolName, recent);
      if (recent.length > perHour) {
        const over = recent.length - perHour;
        return {
          action: over > 1 ? 'block' : 'ask',
          reason: `${toolName} was called ${recent.length} times within the hour (${calls.size} tools seen)`,
        };
      }
      return { action: 'allow' };
    },
  };
}
