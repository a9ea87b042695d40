export default {
  run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    for (let line = 0; line < 100_000; line++) ctx.log(`line ${line}`);
    return { action: 'block', reason: 'logged' };
  },
};
