/**
 * Blocks a guarded tool that would store the blocked recommendation.
 *
 * @param {{ guardedTools?: string[], blockedRecommendation: string }} config
 */
export function createHook(config) {
  const { guardedTools = [], blockedRecommendation } = config;
  // A slip in the config must not leave the tool unguarded: `new Set('store__x')` would be a set of letters.
  if (!Array.isArray(guardedTools)) throw new TypeError('config.guardedTools must be a list of tool names');
  if (typeof blockedRecommendation !== 'string') throw new TypeError('config.blockedRecommendation must be a string');
  const guarded = new Set(guardedTools);

  return {
    async run(point, payload, ctx) {
      if (point !== 'preToolUse') return { action: 'allow' };
      if (typeof payload.toolName !== 'string') throw new TypeError('payload.toolName must be a string');
      if (!guarded.has(payload.toolName)) return { action: 'allow' };

      const row = field(field(payload, 'args'), 'value');
      if (row?.recommendation !== blockedRecommendation) return { action: 'allow' };

      ctx.log(`blocked recommendation in ${payload.toolName}`);
      return {
        action: 'block',
        reason: `This workflow cannot set the ${blockedRecommendation} recommendation.`,
      };
    },
  };
}

/**
 * The object under `key`. Nothing there is fine: then nothing is recommended. A row in any other form (JSON text, a
 * list) is one that this guard cannot read, so it throws, and failPolicy "closed" blocks the call.
 *
 * @param {object | undefined} parent
 * @param {string} key
 * @returns {Record<string, unknown> | undefined}
 */
function field(parent, key) {
  const value = parent?.[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError(`cannot read ${key}: not an object`);
  return value;
}
