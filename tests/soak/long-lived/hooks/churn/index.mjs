// Much more than the heap holds, but never at once: that is allowed.
export default {
  async run(point, { text }) {
    let last;
    for (let i = 0; text === 'evil' && i < 64; i++) {
      last = Array.from({ length: 5000 }, (_, n) => ({ n, text: `${text} ${n}` }));
      if (i % 16 === 0) await null;
    }
    return { action: 'allow', note: String(last?.length) };
  },
};
