import { createRequire } from 'node:module';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const require = createRequire(import.meta.url);
    const found = [];
    for (const name of [
      'internal/process',
      'node:internal/process',
      'internal/bootstrap/realm',
      'ext:core/mod.js',
      'ext:core/ops',
      'ext:hookhost_hook/hook.js',
      'ext:hookhost_node/node_globals.js',
      'ext:deno_node/process.ts',
      'checkin:x',
      'node:sea',
      'node:none',
      'deno:core',
    ]) {
      for (const load of [require, process.getBuiltinModule, (name) => import(name)]) {
        try {
          if ((await load(name)) !== undefined) found.push(name);
        } catch {
          // As it should be.
        }
      }
    }
    return { action: 'modify', payload: { args: { found } } };
  },
};
