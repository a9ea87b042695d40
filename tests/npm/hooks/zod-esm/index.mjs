import { z } from 'zod';

import { schemas } from './schemas.mjs';

export function createHook({ recipients }) {
  const tools = schemas(recipients);
  return {
    run(point, { toolName, args }) {
      const schema = tools[toolName];
      if (schema === undefined) return { action: 'allow' };
      const checked = schema.safeParse(args);
      if (!checked.success) return { action: 'block', reason: z.prettifyError(checked.error) };
      return { action: 'modify', payload: { args: checked.data } };
    },
  };
}
