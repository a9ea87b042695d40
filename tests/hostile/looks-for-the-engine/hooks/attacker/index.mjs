export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const found = [];
    const names = ['Deno', '__bootstrap', 'bootstrap', '__hookhost', 'process', 'internals', 'primordials', 'core'];
    for (const name of names) {
      if (name in globalThis) found.push(name);
    }
    for (const key of Reflect.ownKeys(globalThis)) {
      if (/deno|bootstrap|hookhost|internal/i.test(String(key))) found.push(String(key));
    }
    try {
      found.push(Object.keys(Deno.core).join());
    } catch {
      // As it should be.
    }
    const specifiers = [
      'ext:core/mod.js', 'ext:core/ops', 'ext:hookhost_hook/hook.js', 'ext:hookhost_web/web_globals.js',
      'ext:deno_web/00_url.js', 'checkin:x', 'internal:x', 'deno:core', 'node:process',
      'data:text/javascript,export default 1',
    ];
    for (const specifier of specifiers) {
      try {
        await import(specifier);
        found.push(specifier);
      } catch {
        // As it should be.
      }
    }
    return { action: 'modify', payload: { args: { found } } };
  },
};
