'use strict';
const { z, prettifyError } = require('zod');
const { schemas } = require('./schemas');

exports.createHook = function createHook({ recipients }) {
  const tools = schemas(recipients);
  return {
    run(point, { toolName, args }) {
      const schema = tools[toolName];
      if (schema === undefined) return { action: 'allow' };
      const checked = schema.safeParse(args);
      if (checked.error instanceof z.ZodError) return { action: 'block', reason: prettifyError(checked.error) };
      return { action: 'modify', payload: { args: checked.data } };
    },
  };
};
