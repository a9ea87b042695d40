// What can be loaded, and what a module knows of itself. In both tiers, so nothing of Node is imported here.

const names = (module) => Object.keys(module).filter((name) => name !== 'module.exports').sort();

/** `require` of this file. */
const requiring = async () => (await import('node:module')).createRequire(import.meta.url);

export const facts = {
  "import of JSON, `with { type: 'json' }`": async () => (await import('./files/data.json', { with: { type: 'json' } })).default,
  'import of JSON without `with`': async () => (await import('./files/data.json')).default,
  '`require` of JSON': async () => (await requiring())('./files/data.json'),
  'import of TypeScript (`.ts`)': async () => (await import('./files/typed.ts')).kind,
  'import of TypeScript that imports another file with its ending': async () => (await import('./files/imports.ts')).default,
  'import of TypeScript that imports another file without its ending': async () => (await import('./files/extensionless.ts')).default,
  'an `enum` in TypeScript': async () => (await import('./files/enum.ts')).default,
  'import of CommonJS in TypeScript (`.cts`)': async () => (await import('./files/typed.cts')).default,
  '`require` of TypeScript (`.ts`)': async () => (await requiring())('./files/typed.ts').kind,
  'import of a file without its ending': async () => names(await import('./files/module')),
  'import of CommonJS: the names that it has': async () => names(await import('./files/exports.cjs')),
  'import of CommonJS: the default is `module.exports`': async () => (await import('./files/class.cjs')).default.name,
  'import of CommonJS that was an ES module (`__esModule`): the default': async () => (await import('./files/transpiled.cjs')).default,
  '`require` of an ES module': async () => (await requiring())('./files/module.mjs').kind,
  '`require` of an ES module that waits at its top level': async () => (await requiring())('./files/waits.mjs').kind,
  '`require` in an ES module without `createRequire`': () => typeof require,
  '`require.main === module` in a CommonJS file': async () => (await import('./files/exports.cjs')).main,
  '`require.main` in a CommonJS file': async () => (await import('./files/exports.cjs')).mainIs,
  '`__filename` in a CommonJS file': async () => (await import('./files/exports.cjs')).file,
  '`import.meta`: what it has': () => Object.keys(import.meta).sort(),
  '`import.meta.url`': () => import.meta.url.replace(/.*\//, 'file:///.../'),
  '`import.meta.dirname` and `.filename`': () => [import.meta.dirname, import.meta.filename].map((path) => path.split('/').pop()),
  '`import.meta.resolve`': () => ['./files/module.mjs', 'node:fs', 'fs'].map((name) => import.meta.resolve(name).replace(/^file:.*\//, 'file:///.../')),
  '`import.meta.main`': () => import.meta.main,
  'import of `data:`': async () => (await import('data:text/javascript,export default 5')).default,
  'import of WebAssembly': async () => typeof (await import('./files/empty.wasm')),
  '`eval` and `new Function`': () => [eval('1 + 1'), new Function('a', 'return a + 1')(1)],
  'top-level `await`': async () => (await import('./files/waits.mjs')).kind,
  '`import.meta.url` ends a path for `new URL`': () => new URL('./files/data.json', import.meta.url).pathname.split('/').slice(-2),
};
