export default {
  run(point, { text }) {
    for (const kept = []; text === 'evil';) kept.push(new Array(10_000).fill(text), { text });
    return { action: 'allow' };
  },
};
