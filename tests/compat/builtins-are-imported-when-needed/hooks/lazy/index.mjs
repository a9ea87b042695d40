let fs;

const actions = {
  async cat({ path }) {
    fs ??= await import('fs');
    const { extname } = await import('path');
    if (!fs.existsSync(path)) return { action: 'block', reason: `no such ${extname(path)} file` };
    return { action: 'ask', reason: fs.readFileSync(path, 'utf8').trim() };
  },
  async same() {
    const [bare, prefixed] = await Promise.all([import('fs'), import('node:fs')]);
    const { default: os } = await import('node:os');
    const same = bare.readFileSync === prefixed.readFileSync && bare.default === prefixed.default;
    const promises = (await import('fs/promises')).readFile === prefixed.promises.readFile;
    return { action: 'block', reason: `${same} ${promises} ${typeof os.cpus} ${'default' in prefixed} ${typeof prefixed.default.statSync}` };
  },
  async unknown() {
    const error = await import('node:no-such-builtin').catch((reason) => reason);
    return { action: 'block', reason: `no such builtin: ${error instanceof Error}` };
  },
};

export const createHook = () => ({
  run: (point, { toolName, args }) => actions[toolName]?.(args) ?? { action: 'allow' },
});
