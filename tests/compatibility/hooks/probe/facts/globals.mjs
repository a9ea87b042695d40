// What of the globals is otherwise than in Node, in both tiers.

const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

export const facts = {
  '`structuredClone` of data': () => structuredClone({ a: [1, new Map([[1, new Set([2])]])], d: new Date(0), e: new RangeError('x').name }),
  '`structuredClone` of a Blob': () => structuredClone(new Blob(['abc'])).size,
  '`structuredClone` of a CryptoKey': async () => structuredClone(await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt'])).type,
  '`structuredClone` that transfers an ArrayBuffer': () => {
    const buffer = new ArrayBuffer(4);
    return [structuredClone(buffer, { transfer: [buffer] }).byteLength, buffer.byteLength];
  },
  '`structuredClone` that transfers a stream': () => {
    const stream = new ReadableStream();
    return typeof structuredClone(stream, { transfer: [stream] });
  },
  '`WebAssembly.compile`': async () => WebAssembly.Module.exports(await WebAssembly.compile(wasm)),
  '`WebAssembly.compileStreaming`': async () => WebAssembly.Module.exports(await WebAssembly.compileStreaming(new Response(wasm, { headers: { 'content-type': 'application/wasm' } }))),
  'a SharedArrayBuffer that grows': () => new SharedArrayBuffer(1, { maxByteLength: 10 }).growable,
  '`fetch` of `data:`': async () => (await fetch('data:text/plain,hello')).text(),
  '`fetch` of `file:`': async () => (await fetch(import.meta.url)).status,
  '`__proto__` of an object': () => ({}).__proto__ === Object.prototype,
  '`globalThis.Deno`': () => typeof globalThis.Deno,
  'what `setTimeout` returns': () => {
    const timer = setTimeout(() => {}, 0);
    clearTimeout(timer);
    return typeof timer;
  },
};
