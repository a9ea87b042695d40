/** It only watches, so nothing here may stop a turn: hook.json says `observe`, and `open` for its own failures. */
export default {
  run(point, payload, ctx) {
    const fields = Object.entries(payload).map(([name, value]) => `${name}=${describe(name, value)}`);
    ctx.log([point, ...fields].join(' '));
    return { action: 'allow' };
  },
};

// Fields that say where a call comes from. Everything else may hold what people wrote, so only its size is shown.
const SHOWN = new Set(['toolName', 'source', 'isError']);

/**
 * @param {string} name
 * @param {unknown} value
 */
function describe(name, value) {
  if (SHOWN.has(name)) return String(value).slice(0, 80);
  if (typeof value === 'string') return `${value.length} chars`;
  if (Array.isArray(value)) return `${value.length} items`;
  return `${new TextEncoder().encode(JSON.stringify(value)).length} bytes`;
}
