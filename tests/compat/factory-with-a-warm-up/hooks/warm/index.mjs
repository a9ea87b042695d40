const expanded = new WeakMap();
let warmUps = 0;

async function warmUp(config) {
  if (!expanded.has(config)) {
    expanded.set(config, (async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      warmUps += 1;
      return new Map([...config.blocked.map((name) => [name, 'block']), ...config.asked.map((name) => [name, 'ask'])]);
    })());
  }
  return expanded.get(config);
}

export async function createHook(config) {
  await Promise.all([warmUp(config), warmUp(config)]);
  return {
    get summary() {
      const value = `${JSON.stringify(config.nested)}, ${warmUps} warm-up`;
      Object.defineProperty(this, 'summary', { value });
      return value;
    },
    async run(point, { toolName }) {
      const action = (await warmUp(config)).get(toolName) ?? 'allow';
      return action === 'allow' ? { action } : { action, reason: this.summary };
    },
  };
}
