export default {
  async run(point, { text }) {
    for (const kept = []; text === 'evil';) kept.push(new Uint8Array(1 << 20).fill(7));
    return { action: 'allow' };
  },
};
