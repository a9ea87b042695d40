import { builtinModules, createRequire } from 'node:module';

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const require = createRequire(import.meta.url);
    const missing = [];
    for (const name of builtinModules) {
      try {
        require(name);
      } catch (error) {
        missing.push(`${name}: ${error.message}`);
      }
      try {
        await import(`node:${name.replace(/^node:/, '')}`);
      } catch (error) {
        missing.push(`${name}: ${error.message}`);
      }
    }
    return { action: 'modify', payload: { args: { missing } } };
  },
};
