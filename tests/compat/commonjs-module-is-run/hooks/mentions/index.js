const MENTION = /@(everyone|here)\b/;

module.exports = async (point, payload, ctx) => {
  if (!MENTION.test(payload.text)) return { action: 'allow' };
  const util = require('util');
  const [from, to] = (process.env.QUIET_HOURS || '22-6').split('-').map(Number);
  const hour = new Date().getHours();
  const quiet = from <= to ? hour >= from && hour < to : hour >= from || hour < to;
  ctx.log(util.format('%s at %d, quiet: %j', ctx.hookName, hour, quiet));
  if (quiet && payload.channels.length > 1) return { action: 'block', reason: util.format('%s to %o', MENTION.exec(payload.text)[0], payload.channels.length) };
  return { action: 'modify', payload: { text: payload.text.replace(MENTION, '$1') } };
};
