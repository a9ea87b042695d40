import crypto from 'node:crypto';
import http2 from 'node:http2';
import { builtinModules, createRequire } from 'node:module';
import net from 'node:net';
import perf from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { Duplex } from 'node:stream';
import tls from 'node:tls';
import v8 from 'node:v8';
import zlib from 'node:zlib';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const require = createRequire(import.meta.url);
    const duplex = () => new Duplex({ read() {}, write: (chunk, encoding, done) => done() });
    const database = new DatabaseSync(':memory:');
    const server = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const queue = [
      globalThis,
      server,
      new tls.TLSSocket(duplex()).on('error', () => {}),
      http2.connect('http://x', { createConnection: duplex }).on('error', () => {}),
      [database, database.prepare('select 1'), database.createSession(), database.createTagStore()],
      [crypto.createSecretKey(Buffer.from('a')), crypto.createHash('sha1'), crypto.generateKeyPairSync('ed25519')],
      [perf.createHistogram(), perf.monitorEventLoopDelay()],
      [new v8.Serializer(), new v8.Deserializer(Buffer.from('a'))],
      Object.keys(zlib)
        .filter((name) => name.startsWith('create'))
        .map((name) => zlib[name]()),
    ];
    for (const name of builtinModules) {
      try {
        queue.push(require(name));
      } catch {
        // It is not for hooks.
      }
    }
    for (const name of ['async_wrap', 'http_parser', 'http2', 'pipe_wrap', 'stream_wrap', 'tcp_wrap', 'tty_wrap', 'udp_wrap']) {
      queue.push(process.binding(name));
    }

    const seen = new Set();
    const found = new Set();
    const guarded = new Set();
    while (queue.length > 0) {
      const value = queue.pop();
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
      seen.add(value);
      if (typeof value === 'function' && Object.hasOwn(value, 'prototype') && /\[native code\]/.test(Function.prototype.toString.call(value))) {
        const self = {};
        try {
          if (Reflect.apply(value, self, []) === self) found.add(value.name);
        } catch (error) {
          if (error.message === `Class constructor ${value.name} cannot be invoked without 'new'`) guarded.add(value.name);
        }
      }
      if (ArrayBuffer.isView(value)) continue;
      queue.push(Object.getPrototypeOf(value));
      for (const key of Reflect.ownKeys(value)) {
        const property = Object.getOwnPropertyDescriptor(value, key);
        queue.push(property?.value);
        try {
          if (property?.get) queue.push(value[key]);
        } catch {
          // It is none of this object's.
        }
      }
    }
    server.close();
    const known = ['Zlib', 'TCPWrap', 'TLSWrap', 'Http2Session', 'EldHistogram'];
    return { action: 'modify', payload: { args: { found: [...found], guarded: known.every((name) => guarded.has(name)) } } };
  },
};
