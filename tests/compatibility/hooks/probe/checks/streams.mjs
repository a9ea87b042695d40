import events from 'node:events';
import readline from 'node:readline';
import readlinePromises from 'node:readline/promises';
import stream from 'node:stream';
import consumers from 'node:stream/consumers';
import streamPromises from 'node:stream/promises';
import web from 'node:stream/web';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

const collected = async (readable) => {
  const all = [];
  for await (const chunk of readable) all.push(Buffer.isBuffer(chunk) ? chunk.toString() : chunk);
  return all;
};

const upper = () => new stream.Transform({
  transform(chunk, encoding, done) {
    done(null, chunk.toString().toUpperCase());
  },
});

const sink = (all) => new stream.Writable({
  write(chunk, encoding, done) {
    all.push(chunk.toString());
    done();
  },
});

const thrown = (start) => {
  try {
    return start();
  } catch (error) {
    return [error.name, error.code];
  }
};

const soon = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls `set` with a callback, and waits until it was called. */
const fired = (set) => new Promise((resolve) => set((...values) => resolve(values)));

export const checks = {
  events: {
    EventEmitter: () => {
      const emitter = new events.EventEmitter();
      const told = [];
      emitter.on('a', (...values) => told.push(['on', ...values]));
      emitter.once('a', () => told.push(['once']));
      emitter.prependListener('a', () => told.push(['first']));
      return [emitter.emit('a', 1, 2), emitter.emit('a', 3), emitter.emit('b'), told, emitter.listenerCount('a'), emitter.eventNames(), thrown(() => emitter.emit('error', new TypeError('x'))), thrown(() => emitter.emit('error', 1)), thrown(() => emitter.on('a', 1)), emitter.off('a', () => {}) === emitter, emitter.rawListeners('a').length, events === events.EventEmitter];
    },
    'EventEmitter: captureRejections': async () => {
      const emitter = new events.EventEmitter({ captureRejections: true });
      emitter.on('a', async () => {
        throw new Error('x');
      });
      const seen = fired((done) => emitter.on('error', done));
      emitter.emit('a');
      return seen;
    },
    EventEmitterAsyncResource: () => typeof new events.EventEmitterAsyncResource({ name: 'x' }).asyncId,
    once: async () => {
      const emitter = new events.EventEmitter();
      setTimeout(() => emitter.emit('a', 1, 2), 1);
      return [await events.once(emitter, 'a'), await events.once(emitter, 'a', { signal: AbortSignal.timeout(5) }).catch((error) => error.name)];
    },
    on: async () => {
      const emitter = new events.EventEmitter();
      setTimeout(() => ['x', 'y', 'end'].forEach((value) => emitter.emit('a', value)), 1);
      const seen = [];
      for await (const [value] of events.on(emitter, 'a')) {
        if (value === 'end') break;
        seen.push(value);
      }
      return seen;
    },
    listenerCount: () => events.listenerCount(new events.EventEmitter().on('a', () => {}), 'a'),
    getEventListeners: () => [events.getEventListeners(new events.EventEmitter().on('a', () => {}), 'a').length, events.getEventListeners(new EventTarget(), 'a')],
    getMaxListeners: () => [events.getMaxListeners(new events.EventEmitter()), events.getMaxListeners(new EventTarget())],
    setMaxListeners: () => {
      const emitter = new events.EventEmitter();
      events.setMaxListeners(3, emitter, new EventTarget());
      return emitter.getMaxListeners();
    },
    addAbortListener: async () => {
      const stop = new AbortController();
      const seen = fired((done) => events.addAbortListener(stop.signal, () => done('aborted')));
      stop.abort();
      return seen;
    },
    defaultMaxListeners: () => events.defaultMaxListeners,
    errorMonitor: () => events.errorMonitor,
    captureRejectionSymbol: () => events.captureRejectionSymbol,
    captureRejections: () => events.captureRejections,
    usingDomains: () => events.usingDomains,
    init: () => typeof events.init,
  },
  stream: {
    Readable: async () => [
      await collected(stream.Readable.from(['a', 'b'])),
      await collected(new stream.Readable({ read() { this.push('x'); this.push(null); } })),
      await stream.Readable.from([1, 2, 3, 4]).filter((value) => value % 2).map((value) => value * 10).toArray(),
      await stream.Readable.from([1, 2, 3]).reduce((sum, value) => sum + value, 0),
      await collected(stream.Readable.from([1, 2, 3]).take(2).drop(1)),
      (await new stream.Readable({ read() { this.destroy(new TypeError('x')); } }).toArray().catch((error) => error)).name,
    ],
    'Readable: toWeb and fromWeb': async () => [await collected(stream.Readable.toWeb(stream.Readable.from(['a']))), await collected(stream.Readable.fromWeb(new ReadableStream({ start(controller) { controller.enqueue('x'); controller.close(); } })))],
    'Readable: paused and flowing': async () => {
      const readable = new stream.Readable({ read() {} });
      const seen = [];
      readable.on('data', (chunk) => seen.push(chunk.toString()));
      readable.push('a');
      await soon(5);
      readable.pause();
      readable.push('b');
      await soon(5);
      const before = [...seen];
      readable.resume();
      await soon(5);
      return [before, seen, readable.isPaused(), readable.readableFlowing, readable.readableLength];
    },
    Writable: async () => {
      const all = [];
      const writable = sink(all);
      const first = [writable.write('a'), writable.writableLength, writable.writableHighWaterMark];
      await new Promise((resolve) => writable.end('b', resolve));
      const late = await fired((done) => writable.on('error', () => {}).write('x', (error) => done(error.code)));
      return [first, all, writable.writableFinished, late];
    },
    'Writable: a full one': async () => {
      const writable = new stream.Writable({ highWaterMark: 2, write(chunk, encoding, done) { setTimeout(done, 5); } });
      const full = writable.write('abc');
      await events.once(writable, 'drain');
      return [full, writable.writableNeedDrain];
    },
    Duplex: async () => [await collected(stream.Duplex.from(async function* () { yield 'a'; })), stream.Duplex.from(Promise.resolve('x')) instanceof stream.Duplex],
    Transform: () => collected(stream.Readable.from(['a', 'b']).pipe(upper())),
    PassThrough: () => collected(stream.Readable.from(['a']).pipe(new stream.PassThrough())),
    pipeline: async () => {
      const all = [];
      await fired((done) => stream.pipeline(stream.Readable.from(['a', 'b']), upper(), sink(all), done));
      const failed = await fired((done) => stream.pipeline(stream.Readable.from(['a']), new stream.Transform({ transform(chunk, encoding, done) { done(new RangeError('x')); } }), sink([]), (error) => done(error.name)));
      return [all, failed];
    },
    compose: () => collected(stream.compose(stream.Readable.from(['a']), upper())),
    finished: async () => [await fired((done) => stream.finished(stream.Readable.from([]).resume(), done)), await fired((done) => stream.finished(new stream.Readable({ read() {} }).destroy(), (error) => done(error.code)))],
    addAbortSignal: async () => collected(stream.addAbortSignal(AbortSignal.abort(), new stream.Readable({ read() {} }))).catch((error) => [error.name, error.code]),
    destroy: () => fired((done) => stream.destroy(new stream.Readable({ read() {} }).on('error', (error) => done(error.name)))),
    Stream: () => stream.Stream === stream,
    promises: () => stream.promises === streamPromises,
    isReadable: () => stream.isReadable(new stream.Readable()),
    isErrored: () => stream.isErrored(new stream.Readable()),
    isDisturbed: () => stream.isDisturbed(new stream.Readable()),
    isDestroyed: () => stream.isDestroyed(new stream.Readable()),
    isWritable: () => stream.isWritable(new stream.Writable()),
    getDefaultHighWaterMark: () => [stream.getDefaultHighWaterMark(true), stream.getDefaultHighWaterMark(false)],
    setDefaultHighWaterMark: () => stream.setDefaultHighWaterMark(true, stream.getDefaultHighWaterMark(true)),
  },
  'stream/promises': {
    pipeline: async () => {
      const all = [];
      await streamPromises.pipeline(stream.Readable.from(['a']), upper(), sink(all));
      await streamPromises.pipeline(async function* () { yield 'g'; }, sink(all));
      return [all, await streamPromises.pipeline(stream.Readable.from(['a']), sink([]), { signal: AbortSignal.abort() }).catch((error) => error.name)];
    },
    finished: () => streamPromises.finished(stream.Readable.from([]).resume()),
  },
  'stream/consumers': {
    arrayBuffer: () => consumers.arrayBuffer(stream.Readable.from([Buffer.from('a')])),
    blob: async () => (await consumers.blob(stream.Readable.from(['a']))).size,
    buffer: () => consumers.buffer(stream.Readable.from([Buffer.from('ab')])),
    json: () => consumers.json(stream.Readable.from(['{"a":', '1}'])),
    text: () => consumers.text(stream.Readable.from(['a', 'b'])),
  },
  'stream/web': {
    ReadableStream: async () => [web.ReadableStream === globalThis.ReadableStream, await collected(new web.ReadableStream({ start(controller) { controller.enqueue('x'); controller.close(); } })), typeof web.ReadableStream.from],
    TransformStream: async () => {
      const { readable, writable } = new web.TransformStream({ transform(chunk, controller) { controller.enqueue(chunk * 2); } });
      const writer = writable.getWriter();
      writer.write(4);
      writer.close();
      return collected(readable);
    },
    WritableStream: async () => {
      const seen = [];
      const writer = new web.WritableStream({ write(chunk) { seen.push(chunk); } }).getWriter();
      await writer.write('a');
      return seen;
    },
    CompressionStream: async () => {
      const packed = new Blob(['hello']).stream().pipeThrough(new web.CompressionStream('gzip'));
      return new Response(packed.pipeThrough(new web.DecompressionStream('gzip'))).text();
    },
    DecompressionStream: () => thrown(() => new web.DecompressionStream('nonsense'))[0],
    TextEncoderStream: async () => collected(stream.Readable.from(['ä']).pipe ? stream.Readable.toWeb(stream.Readable.from(['ä'])).pipeThrough(new web.TextEncoderStream()) : []),
    TextDecoderStream: () => new web.TextDecoderStream().encoding,
    ByteLengthQueuingStrategy: () => new web.ByteLengthQueuingStrategy({ highWaterMark: 5 }).size(new Uint8Array(3)),
    CountQueuingStrategy: () => new web.CountQueuingStrategy({ highWaterMark: 5 }).highWaterMark,
  },
  readline: {
    createInterface: async () => {
      const lines = [];
      const reader = readline.createInterface({ input: stream.Readable.from(['one\ntw', 'o\r\nthree']), crlfDelay: Infinity });
      for await (const line of reader) lines.push(line);
      return lines;
    },
    Interface: () => {
      const reader = new readline.Interface({ input: new stream.PassThrough() });
      reader.close();
      return [reader.closed, reader.terminal];
    },
    'createInterface: question': async () => {
      const input = new stream.PassThrough();
      const output = new stream.PassThrough();
      const reader = readline.createInterface({ input, output });
      const seen = fired((done) => reader.question('name? ', done));
      input.write('me\n');
      const answer = await seen;
      reader.close();
      return [answer, String(output.read())];
    },
    clearLine: () => fired((done) => readline.clearLine(sink([]), 0, done)),
    clearScreenDown: () => fired((done) => readline.clearScreenDown(sink([]), done)),
    cursorTo: () => {
      const all = [];
      return [readline.cursorTo(sink(all), 1, 2), all];
    },
    moveCursor: () => {
      const all = [];
      return [readline.moveCursor(sink(all), 1, -2), all];
    },
    emitKeypressEvents: async () => {
      const input = new stream.PassThrough();
      readline.emitKeypressEvents(input);
      const seen = fired((done) => input.on('keypress', (text, key) => done(text, key.name, key.ctrl)));
      input.write('a');
      return seen;
    },
    promises: () => readline.promises === readlinePromises,
  },
  'readline/promises': {
    createInterface: async () => {
      const input = new stream.PassThrough();
      const reader = readlinePromises.createInterface({ input, output: new stream.PassThrough() });
      const answer = reader.question('? ');
      input.write('yes\n');
      const seen = await answer;
      reader.close();
      return seen;
    },
    Interface: () => typeof readlinePromises.Interface.prototype.question,
    Readline: () => {
      const all = [];
      return new readlinePromises.Readline(sink(all)).clearLine(0).commit().then(() => all);
    },
  },
  timers: {
    setTimeout: async () => [await fired((done) => timers.setTimeout(done, 1, 'a', 'b')), typeof timers.setTimeout(() => {}, 0).ref, timers.setTimeout(() => {}, 0).hasRef()],
    'setTimeout: the handle': () => {
      const timer = timers.setTimeout(() => {}, 10000);
      const seen = [timer.unref() === timer, timer.hasRef(), timer.refresh() === timer, typeof timer[Symbol.toPrimitive](), timer.constructor.name, typeof timer.close, typeof timer[Symbol.dispose]];
      clearTimeout(timer);
      return seen;
    },
    clearTimeout: async () => {
      const told = [];
      timers.clearTimeout(timers.setTimeout(() => told.push('late'), 5));
      timers.clearTimeout(+timers.setTimeout(() => told.push('late'), 5));
      timers.clearTimeout(undefined);
      await soon(30);
      return told;
    },
    setInterval: () => fired((done) => {
      let count = 0;
      const timer = timers.setInterval(() => {
        if (++count < 3) return;
        timers.clearInterval(timer);
        done(count);
      }, 1);
    }),
    clearInterval: () => timers.clearInterval(null),
    setImmediate: async () => [await fired((done) => timers.setImmediate(done, 1)), timers.setImmediate(() => {}).constructor.name],
    clearImmediate: async () => {
      const told = [];
      timers.clearImmediate(timers.setImmediate(() => told.push('late')));
      await soon(20);
      return told;
    },
    promises: () => timers.promises === timersPromises,
    active: () => typeof timers.active,
    enroll: () => typeof timers.enroll,
    unenroll: () => typeof timers.unenroll,
  },
  'timers/promises': {
    setTimeout: async () => [await timersPromises.setTimeout(1, 'x'), await timersPromises.setTimeout(1000, 'x', { signal: AbortSignal.abort() }).catch((error) => [error.name, error.code])],
    setImmediate: () => timersPromises.setImmediate('x'),
    setInterval: async () => {
      let count = 0;
      for await (const value of timersPromises.setInterval(1, 'x')) if (++count === 3) return value;
    },
    scheduler: async () => [await timersPromises.scheduler.wait(1), await timersPromises.scheduler.yield()],
  },
};
