export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    process.env.HOOKHOST_TEST_FORGED = 'x';
    process.env.TZ = 'Asia/Tokyo';
    process.env.LD_PRELOAD = '/none.so';
    delete process.env.PATH;
    const odd = [];
    for (const write of [
      () => process.env[''] = 'x',
      () => process.env['a=b'] = 'x',
      () => process.env[String.fromCharCode(0)] = 'x',
      () => process.env.a = String.fromCharCode(0),
      () => process.env[Symbol('x')] = 'x',
      () => process.env.b = Symbol('x'),
      () => process.env.__proto__ = { c: 1 },
      () => Object.defineProperty(process.env, 'd', { get: () => 1 }),
      () => Object.assign(process.env, { e: undefined, f: null, g: {} }),
      () => Object.freeze(process.env),
    ]) {
      try {
        write();
      } catch (error) {
        odd.push(error.message);
      }
    }
    ctx.log(odd);
    return { action: 'modify', payload: { args: { kept: process.env.HOOKHOST_TEST_FORGED } } };
  },
};
