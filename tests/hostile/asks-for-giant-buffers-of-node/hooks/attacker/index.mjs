import crypto from 'node:crypto';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const made = [];
    for (const [name, make] of Object.entries({
      alloc: () => Buffer.alloc(2 ** 33),
      unsafe: () => Buffer.allocUnsafe(2 ** 33),
      slow: () => Buffer.allocUnsafeSlow(2 ** 52),
      fill: () => Buffer.alloc(2 ** 31, 'x'),
      concat: () => Buffer.concat([Buffer.from('x')], 2 ** 40),
      from: () => Buffer.from({ length: 2 ** 40 }),
      random: () => crypto.randomBytes(2 ** 31 - 1),
      hex: () => Buffer.alloc(2 ** 29 - 24).toString('hex'),
    })) {
      try {
        make();
        made.push(name);
      } catch (error) {
        ctx.log(name, error.name);
      }
    }
    return { action: 'modify', payload: { args: { made } } };
  },
};
