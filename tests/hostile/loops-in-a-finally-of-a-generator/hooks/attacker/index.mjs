export default {
  run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    function* endless() {
      try {
        yield 1;
      } finally {
        for (;;);
      }
    }
    for (const _ of endless()) break;
  },
};
