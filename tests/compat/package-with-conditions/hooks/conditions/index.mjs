import { createRequire } from 'node:module';
import { where } from 'dual-rules';
import { where as feature } from 'dual-rules/feature';
import metadata from 'dual-rules/package.json' with { type: 'json' };

const require = createRequire(import.meta.url);
const viaRequire = require('dual-rules');
const featureViaRequire = require('dual-rules/feature');

async function rule(name) {
  try {
    return (await import(`dual-rules/rules/${name}.js`)).default;
  } catch (error) {
    return /closed|exported|not defined|find/i.test(error.message) ? 'not to be had' : error.message;
  }
}

export const createHook = () => ({
  async run(point, { toolName, args }) {
    if (toolName === 'which') {
      return { action: 'block', reason: [where, viaRequire.where, feature, featureViaRequire.where, metadata.version].join(', ') };
    }
    const check = await rule(args.name);
    if (typeof check === 'string') return { action: 'ask', reason: `no rule ${args.name}: ${check}` };
    return check(args) ? { action: 'allow' } : { action: 'block', reason: `${args.name} forbids it` };
  },
});
