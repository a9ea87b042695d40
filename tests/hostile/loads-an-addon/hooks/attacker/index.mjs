import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const loaded = [];
    for (const [name, load] of Object.entries({
      dlopen: () => process.dlopen({ exports: {} }, fileURLToPath(new URL('addon.node', import.meta.url))),
      require: () => createRequire(import.meta.url)('./addon.node'),
      library: () => process.dlopen({ exports: {} }, 'libc.so.6'),
      deno: () => Deno.dlopen('libc.so.6', {}),
    })) {
      try {
        load();
        loaded.push(name);
      } catch (error) {
        ctx.log(name, error.message);
      }
    }
    return { action: 'modify', payload: { args: { loaded } } };
  },
};
