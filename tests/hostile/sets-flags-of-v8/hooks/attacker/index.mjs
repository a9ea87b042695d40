import v8 from 'node:v8';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const set = [];
    for (const flag of ['--allow-natives-syntax', '--expose-gc', '--max-old-space-size=1', '--single-threaded', '']) {
      try {
        v8.setFlagsFromString(flag);
        set.push(flag);
      } catch (error) {
        ctx.log(flag, error.message);
      }
    }
    let natives = true;
    try {
      new Function('%DebugPrint(1)');
    } catch {
      natives = false;
    }
    return { action: 'modify', payload: { args: { set, natives, gc: typeof gc } } };
  },
};
