import util, { inherits, isDeepStrictEqual, toUSVString, types } from 'node:util';

let saved;

function* differences(before, after, path = '') {
  if (isDeepStrictEqual(before, after)) return;
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) {
    yield `${path}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    yield* differences(before[key], after[key], path ? `${path}.${key}` : key);
  }
}

function typesOf() {
  function Old() {}
  inherits(Old, Map);
  const clone = structuredClone({ date: new Date(5), map: new Map([['k', new Set([1])]]), bytes: new Uint8Array([1, 2]), error: new RangeError('r') });
  let uncloneable = 'cloned';
  try {
    structuredClone({ f() {} });
  } catch (error) {
    uncloneable = error.name;
  }
  return [
    types.isPromise(Promise.resolve()), types.isProxy(new Proxy({}, {})), types.isRegExp(/x/), types.isAsyncFunction(async () => {}),
    types.isGeneratorFunction(differences), types.isUint8Array(Buffer.alloc(1)), types.isDate(clone.date), types.isNativeError(clone.error),
    clone.error instanceof RangeError, clone.map.get('k').has(1), clone.bytes.length, Object.getPrototypeOf(Old.prototype) === Map.prototype,
    util.inspect(clone.map), uncloneable, toUSVString('\ud800x').charCodeAt(0), types.isBoxedPrimitive(Object('x')), types.isModuleNamespaceObject(util),
  ].join(' ');
}

export const createHook = () => ({
  async run(point, { toolName, args }) {
    if (toolName === 'types') return { action: 'block', reason: typesOf() };
    if (saved === undefined) {
      saved = structuredClone(args.settings);
      return { action: 'allow' };
    }
    const found = [...differences(saved, args.settings)];
    return found.length === 0 ? { action: 'allow' } : { action: 'ask', reason: found.join('; ') };
  },
});
