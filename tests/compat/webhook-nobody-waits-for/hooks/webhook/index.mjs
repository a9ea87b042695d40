const pending = new Set();

function notify(url, event) {
  const request = fetch(url, { method: 'POST', body: new URLSearchParams(event) })
    .then((response) => response.json())
    .catch(() => {})
    .finally(() => pending.delete(request));
  pending.add(request);
}

export function createHook() {
  return {
    async run(point, { toolName, args }, ctx) {
      const url = `http://127.0.0.1:${ctx.env.PORT}/events`;
      if (toolName !== 'flush') {
        notify(url, { point, ...args });
        return { action: 'allow' };
      }
      await Promise.allSettled(pending);
      const events = await (await fetch(url)).json();
      return { action: 'block', reason: `${events.join(' ')} (${pending.size} pending)` };
    },
  };
}
