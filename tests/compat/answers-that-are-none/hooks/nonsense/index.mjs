const replies = {
  undefined: () => {},
  text: () => 'allow',
  misspelt: () => ({ action: 'Allow' }),
  bigint: () => ({ action: 'modify', payload: { text: 1n } }),
  number: () => ({ action: 'modify', payload: { text: 7 } }),
  'other-field': () => ({ action: 'modify', payload: { source: 'forged' } }),
  'no-reason': () => ({ action: 'block', reason: { why: 'an object' } }),
  inject: () => ({ action: 'inject_context', context_injection: 'Be nice.' }),
};

export const createHook = () => ({ run: (point, { text }) => replies[text]() });
