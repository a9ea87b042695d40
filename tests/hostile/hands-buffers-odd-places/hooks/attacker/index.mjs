export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const buffer = Buffer.from('hello world');
    const names = Object.getOwnPropertyNames(Buffer.prototype).filter((name) =>
      /Slice|Write|copy|fill|indexOf|compare|equals|swap|read/i.test(name),
    );
    for (const name of names) {
      for (const first of [-1, 12, 2 ** 32 + 1, 'x', buffer]) {
        for (const second of [-1, 0, 5, 2 ** 31, 1e300]) {
          for (const third of [-1, 2 ** 31]) {
            try {
              buffer[name](first, second, third, third);
            } catch (error) {
              if (error === undefined) ctx.log(name);
            }
          }
        }
      }
    }
    return { action: 'modify', payload: { args: {} } };
  },
};
