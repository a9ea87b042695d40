import { isMainThread, threadId, parentPort } from 'node:worker_threads';
import cluster from 'node:cluster';

const isDeno = typeof Deno !== 'undefined' && Deno?.version?.deno !== undefined;
const isBun = typeof Bun !== 'undefined' || typeof process.versions.bun === 'string';
const isBrowser = typeof window !== 'undefined' && typeof window.document !== 'undefined';
const isWorker = typeof importScripts === 'function';
const isElectron = process.versions.electron !== undefined || process.type === 'renderer';
const isNode = Object.prototype.toString.call(globalThis.process) === '[object process]' && process.release?.name === 'node';

const runtime = isBun ? 'bun' : isDeno ? 'deno' : isElectron ? 'electron' : isBrowser ? 'browser' : isWorker ? 'worker' : isNode ? 'node' : 'unknown';

const EXPECTED = [
  'AbortController', 'Blob', 'Buffer', 'ByteLengthQueuingStrategy', 'DOMException', 'Event', 'EventTarget', 'FormData',
  'Headers', 'PerformanceEntry', 'ReadableStream', 'Request', 'Response', 'TextDecoder', 'TextEncoder',
  'URL', 'URLSearchParams', 'WebAssembly', 'WritableStream', 'atob', 'btoa', 'clearImmediate', 'clearTimeout', 'console', 'crypto', 'fetch',
  'global', 'performance', 'process', 'queueMicrotask', 'setImmediate', 'setInterval', 'structuredClone',
];

const split = {
  node: async (text) => (await import('node:util')).inspect(text.split(',')),
  deno: async () => 'would use Deno.inspect',
  browser: async () => 'would use the DOM',
}[runtime];

export const createHook = () => ({
  async run(point, { toolName, args }) {
    if (toolName === 'where') {
      const threads = `${isMainThread} ${threadId} ${parentPort} ${cluster.isPrimary}`;
      return { action: 'block', reason: `${runtime}, ${typeof require} ${typeof module} ${typeof exports} ${typeof __filename}, ${threads}` };
    }
    if (toolName === 'globals') {
      const missing = EXPECTED.filter((name) => !(name in globalThis));
      return missing.length === 0 ? { action: 'allow' } : { action: 'block', reason: `missing: ${missing.join(', ')}` };
    }
    return { action: 'ask', reason: await split(args.text) };
  },
});
