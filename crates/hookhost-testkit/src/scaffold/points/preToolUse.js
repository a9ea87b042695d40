config: { blocked: string[]; asked: string[]; root: string }
---
Looks at a tool call, before the tool runs. It is for tools with a `command`; hook.json says which ones it sees.
---
const { blocked, asked, root } = config;
// A slip in the config must not open the door: what throws is decided by failPolicy.
if (!Array.isArray(blocked) || !Array.isArray(asked)) throw new TypeError('config needs the lists blocked and asked');

return {
  run(point, payload, ctx) {
    const command = payload.args?.command;
    if (typeof command !== 'string') throw new TypeError('payload.args.command must be a string');

    const part = blocked.find((part) => command.includes(part));
    if (part) return { action: 'block', reason: `${part} is not allowed here.` };
    if (asked.some((part) => command.includes(part))) return { action: 'ask', reason: `Run ${command}?` };

    if (payload.args.cwd === root) return { action: 'allow' };
    ctx.log(`${payload.toolName} runs in ${root}`);
    return { action: 'modify', payload: { args: { ...payload.args, cwd: root } }, note: `runs in ${root}` };
  },
};
