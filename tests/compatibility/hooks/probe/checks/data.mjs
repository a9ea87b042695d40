import buffer from 'node:buffer';
import stringDecoder from 'node:string_decoder';
import zlib from 'node:zlib';

const TEXT = 'hello hello hello, wörld';
const ENCODINGS = ['utf8', 'utf-8', 'utf16le', 'ucs2', 'latin1', 'binary', 'ascii', 'hex', 'base64', 'base64url'];

function called(start) {
  return new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))));
}

const thrown = (start) => {
  try {
    return start();
  } catch (error) {
    return [error.name, error.code];
  }
};

const decoded = (name, chunks) => {
  const decoder = new stringDecoder.StringDecoder(name);
  return [...chunks.map((chunk) => decoder.write(Buffer.from(chunk))), decoder.end()];
};

const piped = (stream, input) => new Promise((resolve, reject) => {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks))).on('error', reject);
  stream.end(input);
});

const there = (pack, unpack) => piped(pack, TEXT).then((packed) => piped(unpack, packed)).then(String);

export const checks = {
  string_decoder: {
    StringDecoder: () => [
      decoded('utf8', [[0xe2, 0x82], [0xac, 0x61], [0xf0, 0x9f]]),
      decoded('utf16le', [[0x61], [0x00, 0x3d], [0xd8]]),
      decoded('base64', [[1, 2], [3, 4, 5]]),
      decoded('latin1', [[0xe4]]),
      thrown(() => new stringDecoder.StringDecoder('nonsense')),
    ],
  },
  buffer: {
    Buffer: () => [
      Buffer.from(TEXT), Buffer.from([1, 2, 300]), Buffer.from(new Uint16Array([1, 2]).buffer), Buffer.alloc(3, 'ab'), Buffer.concat([Buffer.from('a'), Buffer.from('bc')], 2),
      Buffer.from('a') instanceof Uint8Array, Buffer.isBuffer(new Uint8Array(1)), thrown(() => Buffer.from(5)), buffer.Buffer === globalThis.Buffer,
    ],
    'Buffer: encodings': () => ENCODINGS.map((name) => [name, Buffer.isEncoding(name), Buffer.from('YWJj6Q', name), Buffer.from(TEXT).toString(name), Buffer.byteLength(TEXT, name)]),
    'Buffer: numbers'() {
      const bytes = Buffer.alloc(60);
      let at = 0;
      for (const [name, value] of [['UInt8', 200], ['Int8', -5], ['UInt16LE', 60000], ['UInt16BE', 60000], ['Int16LE', -3], ['Int16BE', -3], ['UInt32LE', 4e9], ['UInt32BE', 4e9], ['Int32LE', -9], ['Int32BE', -9], ['FloatLE', 1.5], ['FloatBE', 1.5], ['DoubleLE', 0.1], ['DoubleBE', 0.1]]) at = bytes[`write${name}`](value, at);
      bytes.writeBigUInt64LE(2n ** 60n, 44);
      bytes.writeUIntBE(0x123456789a, 52, 5);
      return [at, bytes, bytes.readBigInt64LE(44), bytes.readUIntLE(52, 3), bytes.readIntBE(52, 6), bytes.readDoubleBE(36), thrown(() => bytes.readInt32LE(58)), thrown(() => bytes.writeInt8(200, 0))];
    },
    'Buffer: searching'() {
      const bytes = Buffer.from('abcabc');
      return [bytes.indexOf('ca'), bytes.lastIndexOf('b'), bytes.includes('bca'), bytes.indexOf(Buffer.from('z')), bytes.equals(Buffer.from('abcabc')), bytes.compare(Buffer.from('abd')), Buffer.compare(Buffer.from('a'), Buffer.from('b'))];
    },
    'Buffer: changing'() {
      const bytes = Buffer.from('0123456789');
      const slice = bytes.subarray(2, 5);
      slice[0] = 65;
      bytes.copy(bytes, 8, 0, 2);
      return [bytes.toString(), bytes.slice(-3).toString(), bytes.fill('xy', 0, 3).toString(), bytes.swap16().toString(), bytes.write('ZZ', 1), bytes.toString('latin1', 0, 4), bytes.toJSON(), Buffer.from('a').readUInt8()];
    },
    SlowBuffer: () => buffer.SlowBuffer(4).length,
    transcode: () => buffer.transcode(Buffer.from('€ä'), 'utf8', 'latin1'),
    kMaxLength: () => buffer.kMaxLength > 2 ** 31,
    kStringMaxLength: () => buffer.kStringMaxLength,
    constants: () => buffer.constants.MAX_STRING_LENGTH,
    atob: () => [buffer.atob('YWJj'), thrown(() => buffer.atob('*'))[0]],
    btoa: () => buffer.btoa('abc'),
    isUtf8: () => [buffer.isUtf8(Buffer.from('ä')), buffer.isUtf8(Buffer.from([0xff]))],
    isAscii: () => [buffer.isAscii(Buffer.from('ä')), buffer.isAscii(Buffer.from('a'))],
    Blob: async () => {
      const blob = new buffer.Blob(['ab', Buffer.from('cd')], { type: 'text/plain' });
      return [blob.size, blob.type, await blob.text(), await blob.slice(1, 3).text(), buffer.Blob === globalThis.Blob];
    },
    File: () => new buffer.File(['x'], 'n.txt').name,
    resolveObjectURL: async () => {
      const name = URL.createObjectURL(new buffer.Blob(['x']));
      const found = await buffer.resolveObjectURL(name).text();
      URL.revokeObjectURL(name);
      return found;
    },
    INSPECT_MAX_BYTES: () => buffer.INSPECT_MAX_BYTES,
  },
  zlib: {
    gzipSync: () => [zlib.gunzipSync(zlib.gzipSync(TEXT)).toString(), zlib.gzipSync(TEXT).subarray(0, 4)],
    gunzipSync: () => [thrown(() => zlib.gunzipSync(Buffer.from('nonsense'))), thrown(() => zlib.gunzipSync(zlib.gzipSync(TEXT).subarray(0, 20)))],
    deflateSync: () => [zlib.inflateSync(zlib.deflateSync(TEXT)).toString(), zlib.deflateSync(TEXT, { level: 0 }).length],
    inflateSync: () => zlib.inflateSync(Buffer.from('789c4b4c4a0600024d0127', 'hex')).toString(),
    deflateRawSync: () => zlib.inflateRawSync(zlib.deflateRawSync(TEXT)).toString(),
    inflateRawSync: () => zlib.inflateRawSync(zlib.deflateRawSync(Buffer.from(TEXT))).length,
    unzipSync: () => [zlib.unzipSync(zlib.gzipSync(TEXT)).toString(), zlib.unzipSync(zlib.deflateSync(TEXT)).toString()],
    brotliCompressSync: () => zlib.brotliDecompressSync(zlib.brotliCompressSync(TEXT)).toString(),
    'brotliCompressSync: options': () => zlib.brotliDecompressSync(zlib.brotliCompressSync(TEXT, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })).toString(),
    brotliDecompressSync: () => thrown(() => zlib.brotliDecompressSync(Buffer.from('nonsense'))),
    gzip: async () => (await called((done) => zlib.gzip(TEXT, done))).subarray(0, 2),
    gunzip: async () => [String(await called((done) => zlib.gunzip(zlib.gzipSync(TEXT), done))), await called((done) => zlib.gunzip(Buffer.from('x'.repeat(30)), done)).catch((error) => [error.code, error.errno])],
    deflate: async () => zlib.inflateSync(await called((done) => zlib.deflate(TEXT, done))).toString(),
    inflate: async () => String(await called((done) => zlib.inflate(zlib.deflateSync(TEXT), done))),
    deflateRaw: async () => zlib.inflateRawSync(await called((done) => zlib.deflateRaw(TEXT, done))).toString(),
    inflateRaw: async () => String(await called((done) => zlib.inflateRaw(zlib.deflateRawSync(TEXT), done))),
    unzip: async () => String(await called((done) => zlib.unzip(zlib.gzipSync(TEXT), done))),
    brotliCompress: async () => zlib.brotliDecompressSync(await called((done) => zlib.brotliCompress(TEXT, done))).toString(),
    brotliDecompress: async () => String(await called((done) => zlib.brotliDecompress(zlib.brotliCompressSync(TEXT), done))),
    createGzip: () => there(zlib.createGzip(), zlib.createGunzip()),
    createGunzip: () => piped(zlib.createGunzip(), Buffer.from('nonsense')).catch((error) => error.code),
    createDeflate: () => there(zlib.createDeflate({ level: 9 }), zlib.createInflate()),
    createInflate: () => piped(zlib.createInflate(), zlib.deflateSync(TEXT)).then(String),
    createDeflateRaw: () => there(zlib.createDeflateRaw(), zlib.createInflateRaw()),
    createInflateRaw: () => piped(zlib.createInflateRaw(), zlib.deflateRawSync(TEXT)).then(String),
    createUnzip: () => there(zlib.createGzip(), zlib.createUnzip()),
    createBrotliCompress: () => there(zlib.createBrotliCompress(), zlib.createBrotliDecompress()),
    createBrotliDecompress: () => piped(zlib.createBrotliDecompress(), zlib.brotliCompressSync(TEXT)).then(String),
    Gzip: () => there(new zlib.Gzip(), new zlib.Gunzip()),
    'gzip: a dictionary': () => zlib.inflateSync(zlib.deflateSync(TEXT, { dictionary: Buffer.from('hello') }), { dictionary: Buffer.from('hello') }).toString(),
    'gunzipSync: maxOutputLength': () => thrown(() => zlib.gunzipSync(zlib.gzipSync(Buffer.alloc(10000)), { maxOutputLength: 100 })),
    constants: () => ({ ...zlib.constants, ZLIB_VERNUM: typeof zlib.constants.ZLIB_VERNUM }),
    codes: () => zlib.codes,
    crc32: () => [zlib.crc32('hello'), zlib.crc32(Buffer.from(' world'), zlib.crc32('hello'))],
  },
};
