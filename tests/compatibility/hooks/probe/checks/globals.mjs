// Globals, in every tier: nothing of Node is imported here.

const soon = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const all = async (stream) => {
  const chunks = [];
  const reader = stream.getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) chunks.push(value);
  return chunks;
};

const thrown = (start) => {
  try {
    return start();
  } catch (error) {
    return error.name;
  }
};

const fired = (set) => new Promise((resolve) => set((...values) => resolve(values)));

export const checks = {
  globalThis: {
    AbortController: () => {
      const stop = new AbortController();
      const seen = [];
      stop.signal.addEventListener('abort', (event) => seen.push(event.type));
      stop.abort('why');
      return [seen, stop.signal.aborted, stop.signal.reason, stop.signal instanceof EventTarget];
    },
    AbortSignal: async () => {
      const signal = AbortSignal.timeout(5);
      await fired((done) => signal.addEventListener('abort', () => done()));
      return [signal.reason.name, AbortSignal.abort().reason.name, AbortSignal.any([AbortSignal.abort(1)]).reason, thrown(() => AbortSignal.abort().throwIfAborted())];
    },
    Array: () => [[1, [2, [3]]].flat(Infinity), [3, 1, 2].toSorted(), [1, 2].at(-1), Object.groupBy === undefined ? null : 'there'].slice(0, 3),
    atob: () => [atob('YWJj'), thrown(() => atob('*'))],
    btoa: () => [btoa('abc'), thrown(() => btoa('€'))],
    Blob: async () => {
      const blob = new Blob(['ab', new Uint8Array([99])], { type: 'Text/Plain' });
      return [blob.size, blob.type, await blob.text(), (await blob.arrayBuffer()).byteLength, await blob.slice(1).text(), (await all(blob.stream())).length];
    },
    BroadcastChannel: () => {
      const channel = new BroadcastChannel('x');
      channel.close();
      return channel.name;
    },
    Buffer: () => [Buffer.from('hi').toString('base64'), Buffer.byteLength('ä')],
    ByteLengthQueuingStrategy: () => new ByteLengthQueuingStrategy({ highWaterMark: 2 }).highWaterMark,
    CountQueuingStrategy: () => new CountQueuingStrategy({ highWaterMark: 2 }).size(),
    clearImmediate: () => clearImmediate(setImmediate(() => {})),
    clearInterval: () => clearInterval(setInterval(() => {}, 1000)),
    clearTimeout: () => clearTimeout(setTimeout(() => {}, 1000)),
    CompressionStream: async () => new Response(new Blob(['hello']).stream().pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))).text(),
    DecompressionStream: () => thrown(() => new DecompressionStream('nonsense')),
    console: () => ['log', 'error', 'warn', 'info', 'debug', 'table', 'group', 'groupEnd', 'time', 'timeEnd', 'timeLog', 'count', 'countReset', 'trace', 'assert', 'dir', 'dirxml', 'clear'].map((name) => typeof console[name]),
    crypto: async () => [crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(3)).length, new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array([1])))],
    SubtleCrypto: async () => {
      const { subtle } = crypto;
      const key = await subtle.importKey('raw', new Uint8Array(16), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);
      const signature = await subtle.sign('HMAC', key, new Uint8Array([1]));
      const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
      const other = await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, new Uint8Array([1]));
      const edwards = await subtle.generateKey('Ed25519', true, ['sign', 'verify']);
      return [subtle instanceof SubtleCrypto, new Uint8Array(signature), await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, pair.publicKey, other, new Uint8Array([1])), (await subtle.sign('Ed25519', edwards.privateKey, new Uint8Array(1))).byteLength, (await subtle.exportKey('jwk', key)).kty];
    },
    CryptoKey: async () => (await crypto.subtle.generateKey({ name: 'AES-CBC', length: 128 }, true, ['encrypt'])) instanceof CryptoKey,
    CustomEvent: () => new CustomEvent('x', { detail: 5 }).detail,
    DOMException: () => [new DOMException('m', 'AbortError').code, new DOMException('m', 'AbortError') instanceof Error],
    Event: () => [new Event('x', { cancelable: true }).cancelable, new Event('x').type],
    EventTarget: () => {
      const target = new EventTarget();
      const seen = [];
      target.addEventListener('x', (event) => seen.push(event.type), { once: true });
      return [target.dispatchEvent(new Event('x')), target.dispatchEvent(new Event('x')), seen];
    },
    fetch: async () => [await (await fetch('data:text/plain,hello')).text(), await fetch('nonsense:').catch((error) => error.name)],
    File: () => [new File(['x'], 'n', { lastModified: 5 }).name, new File(['x'], 'n', { lastModified: 5 }).lastModified],
    FormData: () => {
      const form = new FormData();
      form.append('a', '1');
      form.append('b', new Blob(['x']), 'f');
      return [form.get('a'), form.get('b').name, [...form.keys()]];
    },
    Headers: () => [[...new Headers({ A: 'b', 'set-cookie': 'c' })], new Headers([['a', '1'], ['a', '2']]).get('A'), new Headers({ 'set-cookie': 'x' }).getSetCookie()],
    Request: async () => {
      const request = new Request('http://a.b/c', { method: 'POST', body: 'x', headers: { a: 'b' } });
      return [request.url, request.method, await request.text(), request.headers.get('a'), request.headers.get('content-type')];
    },
    Response: async () => [await Response.json({ a: 1 }).json(), new Response('', { status: 404, statusText: 'x' }).ok, Response.error().type, await new Response('x').text(), Response.redirect('http://a.b', 302).headers.get('location')],
    global: () => global === globalThis,
    Intl: () => [new Intl.NumberFormat('de').format(1234.5), new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).format(0), new Intl.PluralRules('en').select(1), [...new Intl.Segmenter('en').segment('äb')].length, 'ä'.localeCompare('z', 'sv')],
    MessageChannel: () => fired((done) => {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = ({ data }) => {
        port2.close();
        done(data);
      };
      port1.postMessage({ a: 1 });
    }),
    MessageEvent: () => new MessageEvent('x', { data: 5 }).data,
    performance: () => [performance.now() > 0, performance.timeOrigin > 1e12, performance.mark('m').name, performance.measure('n', 'm').entryType, performance.getEntriesByName('m').length],
    PerformanceObserver: () => fired((done) => {
      const observer = new PerformanceObserver((list) => {
        observer.disconnect();
        done(list.getEntries()[0].name);
      });
      observer.observe({ entryTypes: ['mark'] });
      performance.mark('p');
    }),
    process: () => [typeof process.env, typeof process.cwd(), process.platform],
    queueMicrotask: async () => {
      const seen = [];
      queueMicrotask(() => seen.push('task'));
      seen.push('now');
      await null;
      return seen;
    },
    ReadableStream: async () => [await all(new ReadableStream({ start(controller) { controller.enqueue(1); controller.close(); } })), await all(ReadableStream.from([1, 2])), new ReadableStream().tee().length],
    setImmediate: () => fired((done) => setImmediate(done, 1, 2)),
    setInterval: () => fired((done) => {
      const timer = setInterval((value) => {
        clearInterval(timer);
        done(value);
      }, 1, 'x');
    }),
    setTimeout: () => fired((done) => setTimeout(done, 1, 'a', 'b')),
    structuredClone: () => [structuredClone({ a: new Map([[1, [2]]]), b: new Date(0) }), thrown(() => structuredClone(() => {}))],
    TextDecoder: () => [new TextDecoder().decode(new Uint8Array([0xc3, 0xa4])), new TextDecoder('utf-16le').decode(new Uint8Array([65, 0])), thrown(() => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))), new TextDecoder('windows-1252').decode(new Uint8Array([0x80]))],
    TextDecoderStream: async () => all(new Blob(['ä']).stream().pipeThrough(new TextDecoderStream())),
    TextEncoder: () => [new TextEncoder().encode('ä€'), new TextEncoder().encodeInto('abc', new Uint8Array(2))],
    TextEncoderStream: () => new TextEncoderStream().encoding,
    TransformStream: async () => all(new Blob(['a']).stream().pipeThrough(new TransformStream({ transform(chunk, controller) { controller.enqueue(chunk.length); } }))),
    URL: () => [new URL('../x?y#z', 'http://a.b/c/d').href, URL.canParse('a'), thrown(() => new URL('x'))],
    URLSearchParams: () => [new URLSearchParams('a=1&b=2').toString(), [...new URLSearchParams({ a: 'x y' })]],
    WeakRef: () => new WeakRef(globalThis).deref() === globalThis,
    WebAssembly: () => [WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])), new WebAssembly.Memory({ initial: 1 }).buffer.byteLength, thrown(() => new WebAssembly.Module(new Uint8Array(3)))],
    WritableStream: async () => {
      const seen = [];
      const writer = new WritableStream({ write(chunk) { seen.push(chunk); } }).getWriter();
      await writer.write('a');
      await writer.close();
      return seen;
    },
    'the order of callbacks': async () => {
      const order = [];
      setTimeout(() => order.push('timer 2'), 20);
      setTimeout(() => order.push('timer 1'), 1);
      queueMicrotask(() => order.push('microtask'));
      Promise.resolve().then(() => order.push('promise'));
      order.push('now');
      await soon(60);
      return order;
    },
    SharedArrayBuffer: () => new SharedArrayBuffer(8).byteLength,
    Atomics: () => Atomics.add(new Int32Array(new SharedArrayBuffer(4)), 0, 5),
  },
};
