import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const environments = require('./environments.json');
const versions = require('./versions.cjs');
const { basename } = require('path');

export function createHook() {
  // Once more: it has to be the same object.
  if (require('./versions.cjs') !== versions) throw new Error('the cache of require does not hold');

  return {
    run(_point, { args }) {
      const rules = environments[args.env];
      if (!rules) return { action: 'block', reason: `unknown environment ${args.env}` };
      const { pre } = versions.parse(args.version);
      if (pre && rules.prerelease === false) return { action: 'block', reason: `${pre} is a prerelease` };
      if (rules.minimum && versions.compare(args.version, rules.minimum) < 0) {
        const resolved = basename(require.resolve('./environments.json'));
        return { action: 'block', reason: `${args.version} is older than ${rules.minimum} (${resolved}, ${versions.where})` };
      }
      return args.env === 'production' ? { action: 'ask', reason: `Deploy ${args.version}?` } : { action: 'allow' };
    },
  };
}
