const giant = 'x'.repeat(2 << 20);

export default {
  run(point, { text }) {
    if (text === 'allow') return { action: 'allow', note: giant };
    if (text === 'block') return { action: 'block', reason: giant, payload: { text: giant } };
    if (text === 'modify') return { action: 'modify', payload: { text: giant } };
    return { action: 'allow' };
  },
};
