import assert from 'node:assert';
import strict from 'node:assert/strict';
import asyncHooks from 'node:async_hooks';
import console_ from 'node:console';
import constants from 'node:constants';
import diagnostics from 'node:diagnostics_channel';
import module_ from 'node:module';
import perfHooks from 'node:perf_hooks';
import punycode from 'node:punycode';
import sys from 'node:sys';
import tty from 'node:tty';
import util from 'node:util';
import types from 'node:util/types';
import v8 from 'node:v8';
import vm from 'node:vm';
import workers from 'node:worker_threads';

const thrown = (start) => {
  try {
    return start();
  } catch (error) {
    return [error.name, error.code];
  }
};

const failed = (start) => {
  try {
    start();
    return 'passed';
  } catch (error) {
    return [error.name, error.code, error.operator, error.generatedMessage];
  }
};

const soon = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const fired = (set) => new Promise((resolve) => set((...values) => resolve(values)));

const ofAssert = (module, loose) => ({
  ok: () => [failed(() => module.ok(1)), failed(() => module.ok(0)), failed(() => module(0, 'said')), failed(() => module.ok(0, new RangeError('mine')))],
  equal: () => [failed(() => module.equal(1, 1)), failed(() => module.equal(1, 2)), failed(() => module.equal(1, '1'))],
  notEqual: () => [failed(() => module.notEqual(1, 1)), failed(() => module.notEqual(1, 2))],
  deepEqual: () => [failed(() => module.deepEqual({ a: [1, new Map([[1, { b: 2 }]])] }, { a: [1, new Map([[1, { b: 2 }]])] })), failed(() => module.deepEqual({ a: 1 }, { a: '1' })), failed(() => module.deepEqual([1], [2]))],
  notDeepEqual: () => failed(() => module.notDeepEqual({ a: 1 }, { a: 1 })),
  strictEqual: () => [failed(() => module.strictEqual(NaN, NaN)), failed(() => module.strictEqual(1, '1'))],
  notStrictEqual: () => failed(() => module.notStrictEqual(1, 1)),
  deepStrictEqual: () => [failed(() => module.deepStrictEqual([1, { a: new Set([1]) }], [1, { a: new Set([1]) }])), failed(() => module.deepStrictEqual({ a: 1 }, { a: '1' })), failed(() => module.deepStrictEqual(new Date(0), new Date(0))), failed(() => module.deepStrictEqual(/a/g, /a/i)), failed(() => module.deepStrictEqual(-0, 0))],
  'deepStrictEqual: the message': () => {
    try {
      module.deepStrictEqual({ a: 1 }, { a: 2 });
    } catch (error) {
      return [error.message, error.actual, error.expected];
    }
  },
  notDeepStrictEqual: () => failed(() => module.notDeepStrictEqual([1], [1])),
  throws: () => [failed(() => module.throws(() => { throw new TypeError('abc'); }, TypeError)), failed(() => module.throws(() => { throw new TypeError('abc'); }, /abc/)), failed(() => module.throws(() => { throw new TypeError('abc'); }, { name: 'TypeError', message: 'abc' })), failed(() => module.throws(() => {})), failed(() => module.throws(() => { throw new TypeError('abc'); }, { message: 'x' }))],
  doesNotThrow: () => [failed(() => module.doesNotThrow(() => {})), failed(() => module.doesNotThrow(() => { throw new Error('x'); }))],
  rejects: async () => [await module.rejects(Promise.reject(new Error('x')), /x/), await module.rejects(async () => {}).catch((error) => error.code)],
  doesNotReject: async () => [await module.doesNotReject(Promise.resolve()), await module.doesNotReject(Promise.reject(new Error('x'))).catch((error) => error.code)],
  match: () => [failed(() => module.match('abc', /b/)), failed(() => module.match('abc', /x/))],
  doesNotMatch: () => [failed(() => module.doesNotMatch('abc', /x/)), failed(() => module.doesNotMatch('abc', /b/))],
  fail: () => [failed(() => module.fail()), failed(() => module.fail('x'))],
  ifError: () => [failed(() => module.ifError(null)), failed(() => module.ifError(new Error('x')))],
  AssertionError: () => {
    const error = new module.AssertionError({ actual: 1, expected: 2, operator: 'strictEqual' });
    return [error.message, error.name, error.code, error.generatedMessage, error instanceof Error];
  },
  strict: () => [module.strict.equal === module.strict.strictEqual, typeof module.strict],
  CallTracker: () => {
    const tracker = new module.CallTracker();
    const told = tracker.calls(() => 5, 1);
    return [told(), tracker.verify()];
  },
});

export const checks = {
  assert: ofAssert(assert),
  'assert/strict': ofAssert(strict),
  async_hooks: {
    AsyncLocalStorage: async () => {
      const storage = new asyncHooks.AsyncLocalStorage();
      const seen = await storage.run('a', async () => {
        await soon(1);
        const inner = storage.getStore();
        const exited = storage.exit(() => storage.getStore());
        return [inner, exited, await fired((done) => setImmediate(() => done(storage.getStore()))), await fired((done) => process.nextTick(() => done(storage.getStore())))];
      });
      const kept = storage.run('b', () => asyncHooks.AsyncLocalStorage.snapshot());
      const bound = storage.run('c', () => asyncHooks.AsyncLocalStorage.bind(() => storage.getStore()));
      return [seen, storage.getStore(), kept(() => storage.getStore()), bound()];
    },
    'AsyncLocalStorage: enterWith': async () => {
      const storage = new asyncHooks.AsyncLocalStorage();
      storage.enterWith(1);
      await soon(1);
      const seen = storage.getStore();
      storage.disable();
      return [seen, storage.getStore()];
    },
    AsyncResource: () => {
      const storage = new asyncHooks.AsyncLocalStorage();
      const resource = storage.run('a', () => new asyncHooks.AsyncResource('x'));
      return [resource.runInAsyncScope((value) => [storage.getStore(), value], null, 1), typeof resource.asyncId(), typeof resource.triggerAsyncId(), asyncHooks.AsyncResource.bind(() => 7)()];
    },
    createHook: async () => {
      const seen = new Set();
      const hook = asyncHooks.createHook({ init: (id, type) => seen.add(type), before: () => seen.add('before'), after: () => seen.add('after') }).enable();
      await soon(1);
      hook.disable();
      return ['Timeout', 'PROMISE', 'before', 'after'].filter((word) => seen.has(word));
    },
    executionAsyncId: () => typeof asyncHooks.executionAsyncId(),
    triggerAsyncId: () => typeof asyncHooks.triggerAsyncId(),
    executionAsyncResource: () => typeof asyncHooks.executionAsyncResource(),
    asyncWrapProviders: () => typeof asyncHooks.asyncWrapProviders.TIMERWRAP,
  },
  console: {
    Console: async () => {
      const { PassThrough } = await import('node:stream');
      const stdout = new PassThrough();
      const own = new console_.Console({ stdout, stderr: stdout });
      own.log('a %s %d %j', 'b', 5, { c: 1 }, [1]);
      own.error('e');
      own.group('g');
      own.info({ nested: { deep: { deeper: { deepest: 1 } } } });
      own.groupEnd();
      own.table([{ a: 1, b: 2 }]);
      own.count();
      own.count();
      own.assert(false, 'no');
      own.dir({ a: 1 });
      return String(stdout.read());
    },
    'log: returns': () => [console_.log(''), console_.error(''), console_.warn(''), console_.debug(''), console_.info(''), console_.trace('')],
    time: () => {
      console_.time('x');
      console_.timeLog('x');
      console_.timeEnd('x');
    },
  },
  constants: { O_RDONLY: () => ({ ...constants }) },
  diagnostics_channel: {
    channel: () => {
      const channel = diagnostics.channel('mine');
      const seen = [];
      const told = (message, name) => seen.push([message, name]);
      channel.subscribe(told);
      channel.publish({ a: 1 });
      return [seen, channel.hasSubscribers, channel.unsubscribe(told), channel.hasSubscribers, diagnostics.channel('mine') === channel, channel.name];
    },
    Channel: () => diagnostics.channel('x') instanceof diagnostics.Channel,
    hasSubscribers: () => diagnostics.hasSubscribers('nobody'),
    subscribe: () => {
      const told = () => {};
      diagnostics.subscribe('other', told);
      return [diagnostics.hasSubscribers('other'), diagnostics.unsubscribe('other', told)];
    },
    unsubscribe: () => diagnostics.unsubscribe('nobody', () => {}),
    tracingChannel: () => {
      const channel = diagnostics.tracingChannel('traced');
      const seen = [];
      channel.subscribe({ start: () => seen.push('start'), end: () => seen.push('end'), error: () => seen.push('error') });
      return [channel.traceSync(() => 5, {}), thrown(() => channel.traceSync(() => { throw new TypeError('x'); }, {})), seen];
    },
  },
  module: {
    builtinModules: () => module_.builtinModules.filter((name) => !name.startsWith('_') && !name.startsWith('node:')).sort(),
    createRequire: () => {
      const require = module_.createRequire(import.meta.url);
      return [require('node:path') === require('path'), require('./required.cjs'), require('./data.json'), require.resolve('./required.cjs') === new URL('./required.cjs', import.meta.url).pathname, typeof require.cache, thrown(() => require('./nothing')), thrown(() => require('no-such-package')), Object.keys(require.extensions)];
    },
    'createRequire: the cache': () => {
      const require = module_.createRequire(import.meta.url);
      const name = require.resolve('./required.cjs');
      const first = require('./required.cjs');
      delete require.cache[name];
      return [Object.keys(require.cache).includes(name), require('./required.cjs') === first, require.cache[name]?.exports.kind];
    },
    isBuiltin: () => ['fs', 'node:fs', 'node:test', 'test', 'nonsense'].map((name) => module_.isBuiltin(name)),
    Module: () => [module_.Module === module_, module_._resolveFilename?.('fs'), module_.wrap('x'), module_._extensions && Object.keys(module_._extensions)],
    'Module: _compile': () => {
      const made = new module_('/virtual.js');
      made._compile('module.exports = 5 + 6', '/virtual.js');
      return made.exports;
    },
    'Module: a patched _load': () => {
      const original = module_._load;
      const require = module_.createRequire(import.meta.url);
      module_._load = (name, ...rest) => (name === 'made-up' ? 'patched' : original(name, ...rest));
      try {
        return require('made-up');
      } finally {
        module_._load = original;
      }
    },
    _load: () => typeof module_._load('fs').readFileSync,
    _resolveFilename: () => module_._resolveFilename('fs'),
    _nodeModulePaths: () => module_._nodeModulePaths('/a/b'),
    _findPath: () => module_._findPath('/no/such/file', null),
    _cache: () => typeof module_._cache,
    globalPaths: () => Array.isArray(module_.globalPaths),
    register: () => module_.register(`data:text/javascript,${encodeURIComponent('export const load = (url, context, next) => next(url, context);')}`),
    syncBuiltinESMExports: () => module_.syncBuiltinESMExports(),
    findSourceMap: () => module_.findSourceMap('/no/such/file'),
    SourceMap: () => {
      const map = new module_.SourceMap({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA', file: 'a.js' });
      return [map.findEntry(0, 0).originalSource, map.payload.version];
    },
    runMain: () => typeof module_.runMain,
    wrapper: () => module_.wrapper,
    wrap: () => module_.wrap('x'),
  },
  perf_hooks: {
    performance: () => [perfHooks.performance === globalThis.performance, perfHooks.performance.now() > 0, typeof perfHooks.performance.timeOrigin, perfHooks.performance.timeOrigin > 1e12],
    'performance: marks': () => {
      perfHooks.performance.mark('a', { detail: 1 });
      perfHooks.performance.mark('b');
      const measure = perfHooks.performance.measure('c', 'a', 'b');
      const names = perfHooks.performance.getEntriesByType('mark').map(({ name }) => name).filter((name) => name === 'a' || name === 'b');
      perfHooks.performance.clearMarks();
      return [measure.name, measure.entryType, measure.duration >= 0, names, perfHooks.performance.getEntriesByName('a')];
    },
    'performance: timerify': () => perfHooks.performance.timerify((a) => a + 1)(1),
    'performance: eventLoopUtilization': () => Object.keys(perfHooks.performance.eventLoopUtilization()),
    'performance: nodeTiming': () => typeof perfHooks.performance.nodeTiming.bootstrapComplete,
    PerformanceObserver: () => fired((done) => {
      const observer = new perfHooks.PerformanceObserver((list) => {
        observer.disconnect();
        done(list.getEntries().map(({ name }) => name));
      });
      observer.observe({ entryTypes: ['mark'] });
      perfHooks.performance.mark('seen');
    }),
    monitorEventLoopDelay: async () => {
      const delays = perfHooks.monitorEventLoopDelay({ resolution: 1 });
      delays.enable();
      await soon(50);
      delays.disable();
      return [delays.max > 0, typeof delays.percentile(50)];
    },
    createHistogram: () => {
      const histogram = perfHooks.createHistogram();
      for (const value of [1, 2, 3]) histogram.record(value);
      return [histogram.min, histogram.max, histogram.mean, histogram.count];
    },
    constants: () => Object.keys(perfHooks.constants).length > 0,
  },
  punycode: {
    decode: () => punycode.decode('maana-pta'),
    encode: () => punycode.encode('mañana'),
    toASCII: () => punycode.toASCII('mañana.com'),
    toUnicode: () => punycode.toUnicode('xn--maana-pta.com'),
    ucs2: () => punycode.ucs2.decode('a💩'),
    version: () => punycode.version.split('.')[0],
  },
  sys: { inspect: () => sys === util },
  tty: { isatty: () => [tty.isatty(0), tty.isatty(99)].map((value) => typeof value), ReadStream: () => thrown(() => new tty.ReadStream(99)), WriteStream: () => typeof tty.WriteStream.prototype.getColorDepth },
  util: {
    inspect: () => [
      util.inspect({ a: 1, b: 'x', c: [1, , 3], d: new Map([[1, { e: 2 }]]), f: new Set([1]), g: () => {}, h: Symbol('s'), i: 5n, j: null, k: undefined, l: new Date(0), m: /r/g, n: new Uint8Array(2), o: Buffer.from('x') }),
      util.inspect({ a: { b: { c: { d: 1 } } } }),
      util.inspect({ a: { b: { c: { d: 1 } } } }, { depth: null, compact: false }),
      util.inspect(new (class Mine { x = 1; })()),
      util.inspect('it\'s'),
      util.inspect([..."abcdefghijklmnopqrstuvwxyz0123456789"].map((letter) => letter.repeat(4))),
      util.inspect(new Proxy({ a: 1 }, {}), { showProxy: true }),
      util.inspect({ [util.inspect.custom]: () => 'custom' }),
      util.inspect({ a: 1 }, { colors: true }),
      util.inspect(Object.create(null)),
      util.inspect(Promise.resolve(4)),
      util.inspect(new Error('x')).split('\n')[0],
    ],
    'inspect: circular': () => {
      const circle = {};
      circle.self = circle;
      return util.inspect(circle);
    },
    format: () => [util.format('%s %d %i %f %j %o %O %c %%', 'a', 1.5, 1.5, '2.5', { b: 1 }, [1], { c: 1 }, 'css'), util.format('a', 'b', { c: 1 }), util.format(1, 2n, Symbol('x')), util.format('%s', { toString: () => 'mine' }), util.format('%s', null, undefined)],
    formatWithOptions: () => util.formatWithOptions({ colors: true }, '%O', { a: 1 }),
    promisify: async () => [await util.promisify((value, done) => done(null, value + 1))(1), await util.promisify((done) => done(new TypeError('x')))().catch((error) => error.name), typeof util.promisify.custom, await util.promisify(setTimeout)(1, 'v')],
    callbackify: () => fired((done) => util.callbackify(async (value) => value + 1)(1, done)),
    inherits: () => {
      function A() {}
      function B() {}
      util.inherits(A, B);
      return [new A() instanceof B, A.super_ === B];
    },
    deprecate: () => util.deprecate((value) => value, 'old', 'D1')(5),
    debuglog: () => [util.debuglog('x')('a'), util.debuglog('x').enabled],
    debug: () => util.debug === util.debuglog,
    isDeepStrictEqual: () => [util.isDeepStrictEqual({ a: [1] }, { a: [1] }), util.isDeepStrictEqual([1], ['1']), util.isDeepStrictEqual(new Set([{ a: 1 }]), new Set([{ a: 1 }]))],
    stripVTControlCharacters: () => util.stripVTControlCharacters('\u001B[31mred\u001B[0m'),
    styleText: () => util.styleText('red', 'x'),
    toUSVString: () => util.toUSVString('a\ud800'),
    parseArgs: () => [util.parseArgs({ args: ['-f', '--bar', 'b', 'pos'], options: { foo: { type: 'boolean', short: 'f' }, bar: { type: 'string' } }, allowPositionals: true }), thrown(() => util.parseArgs({ args: ['--no'] }))],
    parseEnv: () => util.parseEnv('A=1\n# c\nB="x y"\nC=\'z\''),
    types: () => [util.types === types, util.types.isDate(new Date())],
    TextEncoder: () => util.TextEncoder === globalThis.TextEncoder,
    TextDecoder: () => new util.TextDecoder('utf-16le').decode(new Uint8Array([65, 0])),
    MIMEType: () => {
      const type = new util.MIMEType('text/html; charset=utf-8;q="a b"');
      return [type.essence, type.params.get('charset'), String(type)];
    },
    MIMEParams: () => [...new util.MIMEParams()],
    aborted: () => typeof util.aborted,
    transferableAbortController: () => util.transferableAbortController() instanceof AbortController,
    transferableAbortSignal: () => util.transferableAbortSignal(AbortSignal.abort()).aborted,
    getSystemErrorName: () => [util.getSystemErrorName(-2), util.getSystemErrorName(-13)],
    getSystemErrorMap: () => util.getSystemErrorMap().get(-2),
    getCallSite: () => typeof util.getCallSite,
    ...Object.fromEntries(['isArray', 'isBoolean', 'isBuffer', 'isDate', 'isError', 'isFunction', 'isNull', 'isNullOrUndefined', 'isNumber', 'isObject', 'isPrimitive', 'isRegExp', 'isString', 'isSymbol', 'isUndefined'].map((name) => [name, () => [[], true, Buffer.alloc(0), new Date(), new Error(), () => {}, null, 1, {}, /a/, 's', Symbol('x'), undefined].map((value) => util[name](value))])),
    log: () => typeof util.log,
    _extend: () => util._extend({ a: 1 }, { b: 2 }),
  },
  'util/types': Object.fromEntries(Object.keys(types).sort().map((name) => [name, () => KINDS.map((value) => types[name](value))])),
  v8: {
    serialize: () => [v8.deserialize(v8.serialize({ a: [1, new Map([[1, new Set([2])]]), new Date(0), /x/g, 5n, Buffer.from('b')], u: undefined })), v8.serialize('a').length],
    deserialize: () => thrown(() => v8.deserialize(Buffer.from('nonsense')))[0],
    Serializer: () => {
      const serializer = new v8.Serializer();
      serializer.writeHeader();
      serializer.writeValue({ a: 1 });
      serializer.writeUint32(7);
      const deserializer = new v8.Deserializer(serializer.releaseBuffer());
      return [deserializer.readHeader(), deserializer.readValue(), deserializer.readUint32()];
    },
    DefaultSerializer: () => typeof new v8.DefaultSerializer().writeValue,
    getHeapStatistics: () => [Object.keys(v8.getHeapStatistics()).sort(), v8.getHeapStatistics().used_heap_size > 0],
    getHeapSpaceStatistics: () => Object.keys(v8.getHeapSpaceStatistics()[0]).sort(),
    getHeapCodeStatistics: () => Object.keys(v8.getHeapCodeStatistics()).sort(),
    cachedDataVersionTag: () => typeof v8.cachedDataVersionTag(),
    setFlagsFromString: () => v8.setFlagsFromString('--no-opt'),
    getHeapSnapshot: () => typeof v8.getHeapSnapshot().read,
    writeHeapSnapshot: () => typeof v8.writeHeapSnapshot,
    setHeapSnapshotNearHeapLimit: () => v8.setHeapSnapshotNearHeapLimit(1),
    takeCoverage: () => v8.takeCoverage(),
    stopCoverage: () => v8.stopCoverage(),
    startupSnapshot: () => v8.startupSnapshot.isBuildingSnapshot(),
    promiseHooks: () => typeof v8.promiseHooks.onInit,
    GCProfiler: () => typeof new v8.GCProfiler().start,
  },
  vm: {
    runInThisContext: () => [vm.runInThisContext('1 + 1'), thrown(() => vm.runInThisContext('nope')), thrown(() => vm.runInThisContext('('))],
    runInNewContext: () => [vm.runInNewContext('a + b', { a: 1, b: 2 }), vm.runInNewContext('typeof process'), vm.runInNewContext('typeof Array === "function" && Array', {}) === Array],
    createContext: () => {
      const context = vm.createContext({ x: 1 });
      vm.runInContext('x += 1; var y = 5; globalThis.z = 6', context);
      return [context, vm.isContext(context)];
    },
    runInContext: () => vm.runInContext('this.a = 1; a', vm.createContext()),
    isContext: () => vm.isContext({}),
    Script: () => {
      const script = new vm.Script('n = (typeof n === "undefined" ? 0 : n) + 1', { filename: 'mine.js' });
      const context = vm.createContext({});
      return [script.runInContext(context), script.runInContext(context), Buffer.isBuffer(script.createCachedData())];
    },
    'Script: timeout': () => thrown(() => new vm.Script('for (;;);').runInThisContext({ timeout: 50 })),
    'Script: the filename of an error': () => {
      try {
        vm.runInThisContext('\nthrow new Error("x")', { filename: '/mine.js', lineOffset: 10 });
      } catch (error) {
        return error.stack.split('\n').find((line) => line.includes('mine.js')).trim();
      }
    },
    'Script: importModuleDynamically': () => new vm.Script('import("node:fs")', { importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER }).runInThisContext().then((module) => typeof module.readFileSync),
    compileFunction: () => vm.compileFunction('return a + b + c', ['a', 'b'], { contextExtensions: [{ c: 3 }] })(1, 2),
    createScript: () => typeof vm.createScript,
    measureMemory: () => typeof vm.measureMemory,
    constants: () => Object.keys(vm.constants),
  },
  worker_threads: {
    isMainThread: () => workers.isMainThread,
    threadId: () => workers.threadId,
    parentPort: () => workers.parentPort,
    workerData: () => workers.workerData,
    resourceLimits: () => workers.resourceLimits,
    SHARE_ENV: () => workers.SHARE_ENV,
    Worker: () => new Promise((resolve, reject) => new workers.Worker('require("node:worker_threads").parentPort.postMessage(5)', { eval: true }).on('message', resolve).on('error', reject)),
    MessageChannel: () => fired((done) => {
      const { port1, port2 } = new workers.MessageChannel();
      port2.on('message', (message) => {
        port2.close();
        done(message);
      });
      port1.postMessage({ a: new Map([[1, 2]]) });
    }),
    MessagePort: () => new workers.MessageChannel().port1 instanceof workers.MessagePort,
    BroadcastChannel: () => {
      const channel = new workers.BroadcastChannel('x');
      channel.close();
      return channel.name;
    },
    receiveMessageOnPort: () => {
      const { port1, port2 } = new workers.MessageChannel();
      port1.postMessage('a');
      const seen = [workers.receiveMessageOnPort(port2), workers.receiveMessageOnPort(port2)];
      port1.close();
      return seen;
    },
    markAsUntransferable: () => workers.markAsUntransferable({}),
    moveMessagePortToContext: () => typeof workers.moveMessagePortToContext,
    getEnvironmentData: () => workers.getEnvironmentData('none'),
    setEnvironmentData: () => {
      workers.setEnvironmentData('k', 1);
      return workers.getEnvironmentData('k');
    },
  },
};

const KINDS = [
  new Date(), /a/, new Map(), new Set(), new WeakMap(), new WeakSet(), new Uint8Array(1), new Float64Array(1), Buffer.alloc(1), new ArrayBuffer(1), new SharedArrayBuffer(1),
  new DataView(new ArrayBuffer(1)), Promise.resolve(), new Proxy({}, {}), new Error('x'), Object(1n), Object(1), Object('s'), Object(true), Object(Symbol('s')), function* () {}, (function* () {})(),
  async () => {}, new Map().entries(), new Set().values(), (function () { return arguments; })(), await import('./data.json', { with: { type: 'json' } }), 1, 'x', null, undefined,
];
