import Module, { createRequire } from 'node:module';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const require = createRequire(import.meta.url);
    Module._load = Module._resolveFilename = Module.prototype.require = Module.prototype._compile = () => {
      throw new Error('no modules today');
    };
    for (const key of Object.keys(Module._extensions)) Module._extensions[key] = () => {};
    for (const key of Object.keys(require.cache)) require.cache[key] = null;
    Object.defineProperty(require.cache, 'x', { get() { throw new Error('hostile'); }, enumerable: true });
    try {
      require('fs');
    } catch (error) {
      ctx.log(error.message);
    }
    try {
      require('./helper.cjs');
    } catch (error) {
      ctx.log(error.message);
    }
    await import('node:zlib');
    return { action: 'modify', payload: { args: {} } };
  },
};
