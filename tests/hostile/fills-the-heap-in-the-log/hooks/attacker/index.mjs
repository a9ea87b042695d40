export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const kept = [];
    ctx.log({ [Symbol.for('Deno.customInspect')]() { for (;;) kept.push([1, 2, 3]); } });
  },
};
