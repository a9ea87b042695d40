/**
 * Asks before a tool spends more than the caller may.
 *
 * `amounts` names the guarded tools and where in their arguments the amount stands. A member's own limit, if the row
 * has one, goes before `limit`. Each call is judged alone: ten small payments are ten small payments.
 *
 * @param {{
 *   amounts: Record<string, string>, limit: number, currency: string, memberStore: string, limitField: string,
 * }} config
 */
export function createHook(config) {
  // Checked here, since a slip in the config would leave the tools unguarded.
  if (typeof config.amounts !== 'object' || Array.isArray(config.amounts)) {
    throw new TypeError('config.amounts must map tool names to argument paths');
  }
  if (typeof config.currency !== 'string') throw new TypeError('config.currency must be a code such as EUR');
  const amountPaths = new Map(Object.entries(config.amounts));
  const defaultLimit = checkedLimit(config.limit, 'config.limit');
  const money = (amount) => `${amount.toFixed(2)} ${config.currency}`;

  return {
    async run(point, payload, ctx) {
      if (point !== 'preToolUse') return { action: 'allow' };
      if (typeof payload.toolName !== 'string') throw new TypeError('payload.toolName must be a string');
      const path = amountPaths.get(payload.toolName);
      if (path === undefined) return { action: 'allow' };

      const { amount, currency } = readAmount(payload.args, path);
      if (amount === undefined) return block(`${path} must be an amount such as 12.50.`);
      if (currency !== undefined && currency !== config.currency) {
        return block(`Payments are limited to ${config.currency}.`);
      }

      const userId = ctx.caller?.userId;
      if (!userId) return block('Payments need a signed-in caller.');
      // Without a store nobody's limit is known. Throwing leaves the decision to failPolicy "closed".
      if (!ctx.store) throw new Error('spend-approval needs a host that offers a store');
      const member = await ctx.store.get(config.memberStore, userId);
      if (!member) return block('The caller is not a member and cannot make payments.');

      const own = member[config.limitField];
      const limit = own === undefined ? defaultLimit : checkedLimit(own, config.limitField);
      if (amount <= limit) return { action: 'allow' };

      ctx.log(`asked about ${money(amount)}, limit ${money(limit)}`);
      return {
        action: 'ask',
        reason: `${money(amount)} is above the caller's limit of ${money(limit)}. Approve the payment?`,
      };
    },
  };
}

const block = (reason) => ({ action: 'block', reason });

/**
 * The amount at a dotted path, and the currency beside it.
 *
 * @param {unknown} args
 * @param {string} path
 * @returns {{ amount?: number, currency?: unknown }}
 */
function readAmount(args, path) {
  const keys = path.split('.');
  const last = keys.pop();
  const parent = keys.reduce(ownField, args);
  return { amount: parseAmount(ownField(parent, last)), currency: ownField(parent, 'currency') };
}

const ownField = (value, key) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key] : undefined;

/**
 * A number, or digits that everybody reads as the same number. `1e3`, `1,000` and `1.000` are read differently from
 * one country or parser to the next, and a negative payment would pass under any limit.
 *
 * @returns {number | undefined}
 */
function parseAmount(value) {
  if (typeof value === 'string' && /^\d{1,12}(?:\.\d{1,2})?$/.test(value)) return Number(value);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A limit that is no number would compare as "not above", and let everything pass. */
function checkedLimit(limit, name) {
  if (!Number.isFinite(limit) || limit < 0) throw new RangeError(`${name} must be a number of at least 0`);
  return limit;
}
