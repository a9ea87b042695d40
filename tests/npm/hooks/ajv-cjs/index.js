'use strict';
const Ajv = require('ajv');
const standalone = require('ajv/dist/standalone').default;

const account = require('./schemas/account');
const transfer = require('./schemas/transfer.json');

Object.defineProperty(exports, '__esModule', { value: true });

exports.default = function createHook() {
  const ajv = new Ajv({ allErrors: true, useDefaults: true, code: { source: true } });
  ajv.addFormat('day', /^\d{4}-\d{2}-\d{2}$/);
  ajv.addSchema(account);
  const validate = ajv.compile(transfer);
  const written = standalone(ajv, validate).length > 0;
  return {
    run(point, { toolName, args }) {
      if (toolName !== 'transfer' || !written) return { action: 'allow' };
      if (!validate(args)) return { action: 'block', reason: ajv.errorsText(validate.errors, { dataVar: 'args' }) };
      return { action: 'modify', payload: { args } };
    },
  };
};
// What a compiler writes for `export const createHook`.
exports.createHook = exports.default;
