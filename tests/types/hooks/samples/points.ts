// What a hook's author may write, and what an editor marks.
import type { CreateHook, Run } from '../../hookhost.d.ts';

type Words = { words: string[] };

export const several: CreateHook<Words, 'preInput' | 'preOutput' | 'postToolUse'> = async ({ words }) => ({
  async run(point, payload, ctx) {
    const row = await ctx.store?.get('members', words[0] ?? '');
    switch (point) {
      case 'preInput':
        return { action: 'modify', payload: { text: payload.text + payload.source } };
      case 'preOutput':
        if (payload.channels.includes('chat')) return { action: 'allow' };
        return { action: 'ask', reason: 'Elsewhere?', approval_default: 'deny', approval_timeout: 60 };
      case 'postToolUse':
        return { action: 'modify', payload: { result: payload.isError ? null : row }, note: 'looked up' };
    }
  },
});

export const bare: Run<'postTurn'> = (point, payload) => {
  payload.usage;
  return { action: 'allow', user_message: 'done', user_message_level: 'info' };
};

export const everywhere: CreateHook = () => (point, payload, ctx) => {
  if (point === 'preToolUse') ctx.log(payload.toolName.length, payload.anything);
  return { action: 'inject_context', context_injection: 'Mind the gap.', context_injection_role: 'user' };
};

export const event: CreateHook<{}, 'tool:pre'> = () => ({
  run(point, payload) {
    payload.anything;
    return { action: 'modify', data: { a: 1 } };
  },
});

// @ts-expect-error an unknown action
export const unknownAction: Run<'preInput'> = () => ({ action: 'Block' });
// @ts-expect-error not the field that may change
export const otherField: Run<'preInput'> = () => ({ action: 'modify', payload: { source: 'x' } });
// @ts-expect-error no answer
export const noAnswer: Run<'preInput'> = () => undefined;
// @ts-expect-error nothing can be changed any more
export const tooLate: Run<'postTurn'> = () => ({ action: 'modify', payload: { text: 'x' } });
export const members: Run<'preToolUse'> = (point, payload, ctx) => {
  // @ts-expect-error ctx has no such member
  ctx.nothing;
  // @ts-expect-error not there at this point
  payload.text.length;
  // @ts-expect-error the host may have no store
  ctx.store.get('a', 'b');
  return { action: 'allow' };
};
