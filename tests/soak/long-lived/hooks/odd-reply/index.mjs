const hostile = () => {
  throw new Error('do not look');
};
const replies = {
  proxy: () => new Proxy({}, { get: hostile }),
  answers: () => new Proxy({}, { get: (_, key) => (key === 'action' ? 'block' : undefined) }),
  then: () => ({ action: 'allow', get then() { return hostile(); } }),
  thenable: () => ({ then: (resolve) => resolve({ action: 'ask' }) }),
  nothing: () => undefined,
  word: () => 'allow',
  list: () => [{ action: 'allow' }],
  case: () => ({ action: 'Allow' }),
  bigint: () => ({ action: 'allow', note: 1n }),
  cycle: () => {
    const reply = { action: 'allow' };
    reply.payload = reply;
    return reply;
  },
  deep: () => {
    let value = 'x';
    for (let i = 0; i < 20000; i++) value = [value];
    return { action: 'allow', payload: value };
  },
};

export default {
  run(point, { text }) {
    return text in replies ? replies[text]() : { action: 'allow' };
  },
};
