config: { blocked: string[]; asked: string[] }
---
Looks at a tool call, before the tool runs. It is for tools with a `command`; hook.json says which ones it sees.
---
const { blocked, asked } = config;
// A slip in the config must not open the door: what throws is decided by failPolicy.
if (!Array.isArray(blocked) || !Array.isArray(asked)) throw new TypeError('config needs the lists blocked and asked');

return {
  run(point, payload, ctx) {
    const command = payload.args?.command;
    if (typeof command !== 'string') throw new TypeError('payload.args.command must be a string');

    const part = blocked.find((part) => command.includes(part));
    if (part) return { action: 'block', reason: `${part} is not allowed here.` };
    if (asked.some((part) => command.includes(part))) return { action: 'ask', reason: `Run ${command}?` };

    const safer = command.replaceAll('http://', 'https://');
    if (safer === command) return { action: 'allow' };
    ctx.log(`${payload.toolName} runs ${safer}`);
    // The other arguments stay as they are: a tool may refuse one that it does not know.
    return { action: 'modify', payload: { args: { ...payload.args, command: safer } }, note: 'https instead of http' };
  },
};
