import type { Decision, Hook, ToolCall } from './types.ts';
import type * as Types from './types.d.ts';
import { isCurrency, type Limits } from './limits.ts';

type Args = { amount: number; currency: string };

export function createHook(config: { limits: Limits }): Hook<ToolCall<Args>> {
  const { limits } = config;
  return {
    run(_point: string, { args }: ToolCall<Args>, ctx: Types.Context): Decision {
      if (typeof args.amount !== 'number') return { action: 'block', reason: `amount is a ${typeof args.amount}` } as const;
      if (!isCurrency(args.currency, limits)) return { action: 'block', reason: `unknown currency ${args.currency}` };
      const limit = limits[args.currency]!;
      ctx.log(limit satisfies number);
      return args.amount > limit
        ? { action: 'ask', reason: `${args.amount} ${args.currency} is more than ${limit}` }
        : { action: 'allow' };
    },
  };
}
