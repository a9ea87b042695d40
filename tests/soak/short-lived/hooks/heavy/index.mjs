// What is left behind of a host that holds this much is soon seen.
const kept = Array.from({ length: 100_000 }, (_, n) => ({ n }));
const buffer = new Uint8Array(1 << 20).fill(1);

export default {
  run() {
    return { action: kept.length + buffer[5] === 100_001 ? 'allow' : 'block' };
  },
};
