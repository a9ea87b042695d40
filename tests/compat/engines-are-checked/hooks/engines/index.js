import { readFileSync } from 'node:fs';
import os from 'node:os';
import process, { memoryUsage, nextTick, version, versions } from 'node:process';

const { engines } = JSON.parse(readFileSync(new URL('package.json', import.meta.url)));

function satisfies(range, current = versions.node) {
  const wanted = range.replace('>=', '').split('.').map(Number);
  const has = current.split('.').map(Number);
  for (const [index, number] of wanted.entries()) if (has[index] !== number) return has[index] > number;
  return true;
}

if (!satisfies(engines.node)) throw new Error(`needs Node ${engines.node}, this is ${version}`);

function facts() {
  const tests = {
    version: /^v\d+\.\d+\.\d+/.test(process.version) && `v${versions.node}` === process.version,
    v8: typeof versions.v8 === 'string' && typeof versions.uv === 'string',
    release: process.release.name === 'node',
    platform: process.platform === os.platform() && process.arch === os.arch(),
    pid: Number.isInteger(process.pid) && process.pid > 1 && process.ppid > 0,
    uptime: process.uptime() > 0 && os.uptime() > 0,
    memory: memoryUsage().heapUsed > 0 && process.memoryUsage.rss() > 1e6 && os.totalmem() >= os.freemem(),
    cpu: process.cpuUsage().user >= 0 && os.cpus().length > 0 && os.availableParallelism() > 0 && os.loadavg().length === 3,
    hrtime: process.hrtime().length === 2 && process.hrtime.bigint() > 0n,
    user: os.userInfo().uid === process.getuid() && typeof os.hostname() === 'string' && typeof os.release() === 'string',
    umask: typeof process.umask() === 'number' && typeof os.constants.signals.SIGTERM === 'number' && os.endianness() === 'LE',
    tick: typeof nextTick === 'function' && process.title.length > 0 && Array.isArray(process.argv),
    global: globalThis === global && typeof globalThis.process === 'object' && process === globalThis.process,
    tag: Object.prototype.toString.call(process) === '[object process]' && typeof process.features === 'object' && typeof process.config === 'object',
    bun: versions.bun === undefined && typeof Bun === 'undefined',
  };
  return Object.entries(tests).filter(([, holds]) => !holds).map(([name]) => name);
}

export default {
  run(point, { toolName, args }) {
    if (toolName === 'facts') {
      const wrong = facts();
      return wrong.length > 0 ? { action: 'block', reason: `not as in Node: ${wrong.join(', ')}` } : { action: 'ask', reason: 'all as in Node' };
    }
    return satisfies(args.range) ? { action: 'allow' } : { action: 'block', reason: `Node is not ${args.range}` };
  },
};
