import { createRequire } from 'node:module';

import { Ajv } from 'ajv';

const require = createRequire(import.meta.url);
const account = require('./schemas/account.json');
const transfer = require('./schemas/transfer.json');

export async function createHook() {
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  const ajv = new Ajv({ allErrors: true, useDefaults: true, code: { source: true } });
  ajv.addFormat('day', /^\d{4}-\d{2}-\d{2}$/);
  ajv.addSchema(account);
  const validate = ajv.compile(transfer);
  const written = standalone.default(ajv, validate).length > 0;
  return {
    run(point, { toolName, args }) {
      if (toolName !== 'transfer' || !written) return { action: 'allow' };
      if (!validate(args)) return { action: 'block', reason: ajv.errorsText(validate.errors, { dataVar: 'args' }) };
      return { action: 'modify', payload: { args } };
    },
  };
}
