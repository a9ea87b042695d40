import { looksLikeSecretField, redactText } from './patterns.mjs';

/**
 * Keeps credentials out of tool calls and out of what the model reads.
 *
 * It knows them by their form: a secret that is encoded, encrypted or cut in pieces passes. Reasons and logs name
 * kinds and counts only, since they end up in the places that a secret must not reach.
 */
export function createHook() {
  return {
    run(point, payload, ctx) {
      switch (point) {
        case 'preToolUse':
          return checkArguments(payload, ctx);
        case 'postToolUse':
          return cleanResult(payload, ctx);
        default:
          return { action: 'allow' };
      }
    },
  };
}

function checkArguments(payload, ctx) {
  const { found } = redactTree(payload.args);
  if (found.size === 0) return { action: 'allow' };
  const kinds = summary(found);
  ctx.log(`blocked arguments with ${kinds}`);
  return {
    action: 'block',
    reason: `The arguments contain a secret (${kinds}). Refer to it by name, for instance by its environment variable.`,
  };
}

function cleanResult(payload, ctx) {
  const { copy, found } = redactTree(payload.result);
  if (found.size === 0) return { action: 'allow' };
  const kinds = summary(found);
  ctx.log(`redacted ${kinds} in a result`);
  return { action: 'modify', payload: { result: copy }, note: `redacted ${kinds}` };
}

/** Sorted, so that the same result reads the same whatever order its fields come in. */
const summary = (found) =>
  [...found]
    .sort()
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');

/**
 * A copy of `tree` without secrets, and how many of each kind there were. Keys are cleaned as well as values.
 * It works off a list instead of calling itself: how deep a tool's result goes is the tool's choice.
 *
 * @param {unknown} tree  any JSON value
 * @returns {{ copy: unknown, found: Map<string, number> }}
 */
function redactTree(tree) {
  /** @type {Map<string, number>} */
  const found = new Map();
  const report = (kind) => {
    found.set(kind, (found.get(kind) ?? 0) + 1);
    return `[redacted: ${kind}]`;
  };

  // The extra level gives a bare string a parent to be replaced in.
  const root = [tree];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'string') {
        node[key] = looksLikeSecretField(key, value) ? report('credential') : redactText(value, report);
      } else if (typeof value === 'object' && value !== null) {
        node[key] = shallowCopy(value, report);
        pending.push(node[key]);
      }
    }
  }
  return { copy: root[0], found };
}

function shallowCopy(node, report) {
  if (Array.isArray(node)) return [...node];
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [redactText(key, report), value]));
}
