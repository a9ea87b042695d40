export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const giant = Array.from({ length: 400 }, () => 'x'.repeat(1_000_000));
    return { action: 'block', reason: { giant }, note: { toJSON() { for (;;); } }, user_message: { giant } };
  },
};
