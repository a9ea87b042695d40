// What is there, without calling it.

import { said } from './plain.mjs';

/** All that globalThis has: the type of each, and its members. */
export function globals() {
  return namesOf({ get: (key) => globalThis[key] }, Object.getOwnPropertyNames(globalThis));
}

/**
 * A built-in module: whether it loads in each way, and what it exports. What begins with `_` is nobody's business, and two
 * modules are lists of what others have. `wanted` are names that may be there although nothing lists them.
 */
export async function builtin(name, wanted) {
  const prefixed = name.startsWith('node:') ? name : `node:${name}`;
  const found = { import: await importing(prefixed), require: requiring(prefixed) };
  if (name !== prefixed) {
    found.importWithoutPrefix = await importing(name);
    found.requireWithoutPrefix = requiring(name);
  }
  if (found.import === true && !/^(_.*|constants|sys)$/.test(name)) {
    const exported = await import(prefixed);
    const named = Object.keys(exported).filter((key) => key !== 'default' && key !== 'module.exports');
    const whole = exported.default ?? exported;
    // What is not listed may be there.
    const all = new Set([...named, ...Object.keys(whole), ...wanted.filter((key) => key in whole)]);
    const holder = { get: (key) => (key in whole ? whole[key] : exported[key]) };
    found.names = namesOf(holder, [...all].filter((key) => !key.startsWith('_')));
    for (const key of named) if (found.names[key]) found.names[key].named = true;
  }
  return found;
}

async function importing(specifier) {
  try {
    await import(specifier);
    return true;
  } catch (error) {
    return said(error);
  }
}

function requiring(specifier) {
  try {
    globalThis.process.getBuiltinModule('module').createRequire(import.meta.url)(specifier);
    return true;
  } catch (error) {
    return said(error);
  }
}

/** The type of each, and the public members of what has some. */
function namesOf(holder, names) {
  const found = {};
  for (const name of names.sort()) {
    try {
      const value = holder.get(name);
      found[name] = { type: value === null ? 'null' : typeof value };
      const members = membersOf(value);
      if (members.length > 0) found[name].members = members;
    } catch (error) {
      found[name] = { type: `throws ${said(error)}` };
    }
  }
  return found;
}

const OF_EVERYTHING = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Function.prototype),
  'prototype',
  // V8's, Node's own, and gone from the proposal for iterators.
  'prepareStackTrace',
  'withoutStackTrace',
  'asIndexedPairs',
]);

/** Static members as `name`, those of instances as `#name`. */
function membersOf(value) {
  // Variables are those of a machine.
  if (value === globalThis.process?.env) return [];
  if (value === null || value === globalThis || (typeof value !== 'object' && typeof value !== 'function')) return [];
  if (typeof value !== 'function') return published(value);
  const inner = value.prototype ? published(value.prototype) : [];
  return [...published(value), ...inner.map((name) => `#${name}`)];
}

/** Own members and, but for those of a class, inherited ones. */
function published(value) {
  const found = new Set();
  let at = value;
  while (at && at !== Object.prototype && !(typeof value === 'function' && at !== value)) {
    for (const name of Object.getOwnPropertyNames(at)) found.add(name);
    at = Object.getPrototypeOf(at);
  }
  return [...found].filter((name) => !/^(_|\d+$)/.test(name) && !OF_EVERYTHING.has(name)).sort();
}
