config: { note: string }
---
Looks at several points of a turn: `point` says which one, and what the payload is with it.
---
const { note } = config;
if (typeof note !== 'string') throw new TypeError('config.note must be a string');

return {
  run(point, payload, ctx) {
    if (Object.keys(payload).length === 0) throw new TypeError(`the payload of ${point} is empty`);
    ctx.log(`${note} ${point}`);
    return { action: 'allow' };
  },
};
