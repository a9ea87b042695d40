import { createRequire } from 'node:module';
import { isInternal } from '@acme/recipients-hook/domains';

const require = createRequire(import.meta.url);
const parse = require('@acme/recipients-hook/parse');
const { name, version } = require('@acme/recipients-hook/package.json');

export async function createHook() {
  const self = await import('@acme/recipients-hook');
  if (self.createHook !== createHook) throw new Error('loaded twice');
  return {
    run(point, { args }) {
      const domain = parse(args.to);
      if (domain === null) return { action: 'block', reason: `${args.to} is no address (${name} ${version})` };
      return isInternal(domain) ? { action: 'allow' } : { action: 'ask', reason: `${domain} is not ours` };
    },
  };
}
