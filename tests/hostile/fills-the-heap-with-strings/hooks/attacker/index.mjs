export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const kept = [];
    for (let text = 'x';; text += text) {
      if (text.length > 1_000_000) text = 'x';
      kept.push([text, kept.length].join(''));
    }
  },
};
