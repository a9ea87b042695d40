export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const again = { [Symbol.for('Deno.customInspect')]: () => { ctx.log(again); return 'x'; } };
    ctx.log(again);
    return { action: 'block', reason: 'logged' };
  },
};
