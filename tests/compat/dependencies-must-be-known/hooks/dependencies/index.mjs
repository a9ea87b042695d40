import module, { builtinModules, createRequire, isBuiltin } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.cwd(), 'x.js'));
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])([^'"]+)\1/g;

const packageOf = (specifier) => specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');

export function createHook() {
  const { dependencies = {}, devDependencies = {} } = require('./package.json');
  const known = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  const enough = ['fs', 'path', 'crypto', 'http', 'zlib', 'util'].every((name) => builtinModules.includes(name));

  return {
    async run(point, { toolName, args }) {
      if (toolName === 'import') {
        const error = await import(args.name).catch((reason) => reason);
        return { action: 'block', reason: `${error instanceof Error}, ${enough} ${module.builtinModules === builtinModules}` };
      }
      const unknown = [...args.content.matchAll(SPECIFIER)]
        .map(([, , specifier]) => specifier)
        .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
        .map(packageOf)
        .filter((name) => !known.has(name));
      return unknown.length === 0 ? { action: 'allow' } : { action: 'block', reason: `not in package.json: ${unknown.join(', ')}` };
    },
  };
}
