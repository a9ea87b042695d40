// The globals of the web realm: what a service worker has, from Deno's own scripts.
//
// Everything here is loaded while the snapshot is made. A script that were loaded later would be read from the build
// machine's disk, and the binary would not run elsewhere.

import { core, internals, primordials } from "ext:core/mod.js";
import { op_compression_finish, op_compression_new, op_compression_write } from "ext:core/ops";

const {
  ArrayBufferPrototypeGetByteLength,
  ArrayBufferPrototypeTransferToFixedLength,
  ArrayFrom,
  ArrayPrototypePush,
  DataViewPrototypeGetBuffer,
  DataViewPrototypeGetByteLength,
  DataViewPrototypeGetByteOffset,
  Error,
  FunctionPrototype,
  ObjectDefineProperty,
  ObjectEntries,
  ObjectSetPrototypeOf,
  ReflectApply,
  ReflectConstruct,
  ReflectGetOwnPropertyDescriptor,
  ReflectOwnKeys,
  SafeArrayIterator,
  SymbolToStringTag,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeGetByteOffset,
  TypedArrayPrototypeGetSymbolToStringTag,
  TypeError,
  Uint8Array,
} = primordials;
const load = (script) => core.loadExtScript(script);

const webidl = load("ext:deno_webidl/00_webidl.js");
const event = load("ext:deno_web/02_event.js");
const { DOMException, QuotaExceededError } = load("ext:deno_web/01_dom_exception.js");
const url = load("ext:deno_web/00_url.js");
const { URLPattern } = load("ext:deno_web/01_urlpattern.js");
const timers = load("ext:deno_web/02_timers.js");
const abort = load("ext:deno_web/03_abort_signal.js");
const base64 = load("ext:deno_web/05_base64.js");
const streams = load("ext:deno_web/06_streams.js");
const encoding = load("ext:deno_web/08_text_encoding.js");
const file = load("ext:deno_web/09_file.js");
const { FileReader } = load("ext:deno_web/10_filereader.js");
// Blob and fetch ask for the location of the page; there is none here, and the script says so.
load("ext:deno_web/12_location.js");
const message = load("ext:deno_web/13_message_port.js");
const compression = load("ext:deno_web/14_compression.js");
const performance = load("ext:deno_web/15_performance.js");
// CryptoKey objects are branded with a symbol that Node's crypto shares; there is no Node here, but the script wants it.
internals.kKeyObject = Symbol("KeyObject");
const crypto = load("ext:deno_crypto/00_crypto.js");

// What Deno's Rust code calls its errors. One that is not registered would reach a hook as `undefined`.
for (
  const name of new SafeArrayIterator([
    "AbortError",
    "DataError",
    "IndexSizeError",
    "InvalidAccessError",
    "InvalidCharacterError",
    "InvalidStateError",
    "NetworkError",
    "NotSupportedError",
    "OperationError",
    "SyntaxError",
    "TypeMismatchError",
  ])
) {
  core.registerErrorBuilder(`DOMException${name}`, (text) => new DOMException(text, name));
}
core.registerErrorBuilder("DOMExceptionQuotaExceededError", (text) => new QuotaExceededError(text));
for (
  const name of new SafeArrayIterator([
    "AddrInUse",
    "AddrNotAvailable",
    "AlreadyExists",
    "BrokenPipe",
    "Busy",
    "ConnectionAborted",
    "ConnectionRefused",
    "ConnectionReset",
    "FilesystemLoop",
    "Http",
    "InvalidData",
    "IsADirectory",
    "NetworkUnreachable",
    "NotADirectory",
    "NotConnected",
    "NotFound",
    "NotSupported",
    "PermissionDenied",
    "TimedOut",
    "UnexpectedEof",
    "WouldBlock",
    "WriteZero",
  ])
) {
  core.registerErrorBuilder(name, (text) => {
    const error = new Error(text);
    error.name = name;
    return error;
  });
}

/** Installs globals as browsers do: writable, configurable, and not listed by a loop over globalThis. */
export function define(globals) {
  for (const { 0: name, 1: value } of new SafeArrayIterator(ObjectEntries(globals))) {
    ObjectDefineProperty(globalThis, name, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }
}

/**
 * How many bytes are decompressed in one go, in Rust, where nothing can end it. A thousand times as much may come out of
 * them; with brotli, some ten bytes are enough for 16 MiB.
 */
const PIECE_BYTES = 16384;
const PIECE_BYTES_OF_BROTLI = 16;

// As they are before a hook may replace them.
const readableOf = getterOf(streams.TransformStream, "readable");
const writableOf = getterOf(streams.TransformStream, "writable");
const { pipeThrough } = streams.ReadableStream.prototype;
const { enqueue } = streams.TransformStreamDefaultController.prototype;

function getterOf({ prototype }, name) {
  return ReflectGetOwnPropertyDescriptor(prototype, name).get;
}

/**
 * Like Deno's, but that it decompresses in small pieces. Deno's own stream is not used: its code calls methods that a
 * hook may replace, and a hook that got hold of it could write a bomb in one go.
 *
 * The first of two streams cuts, so that no more is decompressed than is read. The second decompresses, and cuts once
 * more: who reaches it past the first gains nothing.
 */
class DecompressionStream {
  #readable;
  #writable;

  constructor(format) {
    const prefix = "Failed to construct 'DecompressionStream'";
    webidl.requiredArguments(arguments.length, 1, prefix);
    const known = webidl.converters.CompressionFormat(format, prefix, "Argument 1");
    const size = known === "brotli" ? PIECE_BYTES_OF_BROTLI : PIECE_BYTES;
    const decompressor = op_compression_new(known, true);
    const cutting = new streams.TransformStream({
      __proto__: null,
      transform(chunk, controller) {
        cut(webidl.converters.BufferSource(chunk, prefix, "chunk"), size, (piece) => {
          ReflectApply(enqueue, controller, [piece]);
        });
      },
    });
    const decompressing = new streams.TransformStream({
      __proto__: null,
      transform(chunk, controller) {
        cut(webidl.converters.BufferSource(chunk, prefix, "chunk"), size, (piece) => {
          enqueueSome(controller, op_compression_write(decompressor, piece));
        });
      },
      flush(controller) {
        enqueueSome(controller, op_compression_finish(decompressor, true));
      },
      cancel() {
        op_compression_finish(decompressor, false);
      },
    });
    this.#writable = ReflectApply(writableOf, cutting, []);
    this.#readable = ReflectApply(pipeThrough, ReflectApply(readableOf, cutting, []), [{
      __proto__: null,
      readable: ReflectApply(readableOf, decompressing, []),
      writable: ReflectApply(writableOf, decompressing, []),
    }]);
  }

  get readable() {
    return this.#readable;
  }

  get writable() {
    return this.#writable;
  }

  get [SymbolToStringTag]() {
    return "DecompressionStream";
  }
}

function enqueueSome(controller, bytes) {
  if (TypedArrayPrototypeGetByteLength(bytes) > 0) ReflectApply(enqueue, controller, [bytes]);
}

/** Does `use` with each `size` bytes of a buffer or a view. No getter is asked, and no constructor of the hook's. */
function cut(source, size, use) {
  let buffer = source;
  let offset = 0;
  let length;
  if (core.isArrayBuffer(source)) {
    length = ArrayBufferPrototypeGetByteLength(source);
  } else if (TypedArrayPrototypeGetSymbolToStringTag(source) !== undefined) {
    buffer = TypedArrayPrototypeGetBuffer(source);
    offset = TypedArrayPrototypeGetByteOffset(source);
    length = TypedArrayPrototypeGetByteLength(source);
  } else {
    buffer = DataViewPrototypeGetBuffer(source);
    offset = DataViewPrototypeGetByteOffset(source);
    length = DataViewPrototypeGetByteLength(source);
  }
  for (let at = 0; at < length; at += size) {
    use(new Uint8Array(buffer, offset + at, at + size < length ? size : length - at));
  }
}

/**
 * Deno's own, but for what is transferred: that is copied, and then gone here. Deno would send it through a MessagePort,
 * where a hook may send what Deno's Rust code does not expect.
 */
function structuredClone(value, options = undefined) {
  const transfer = [];
  if (options !== undefined && options !== null && options.transfer !== undefined) {
    for (const buffer of new SafeArrayIterator(ArrayFrom(options.transfer))) {
      if (!core.isArrayBuffer(buffer)) throw new DOMException("Only an ArrayBuffer can be transferred", "DataCloneError");
      ArrayPrototypePush(transfer, buffer);
    }
  }
  const clone = message.structuredClone(value);
  for (const buffer of new SafeArrayIterator(transfer)) ArrayBufferPrototypeTransferToFixedLength(buffer);
  return clone;
}

define({
  self: globalThis,
  AbortController: abort.AbortController,
  AbortSignal: abort.AbortSignal,
  atob: base64.atob,
  Blob: file.Blob,
  btoa: base64.btoa,
  ByteLengthQueuingStrategy: streams.ByteLengthQueuingStrategy,
  clearInterval: timers.clearInterval,
  clearTimeout: timers.clearTimeout,
  CloseEvent: event.CloseEvent,
  CompressionStream: compression.CompressionStream,
  CountQueuingStrategy: streams.CountQueuingStrategy,
  Crypto: crypto.Crypto,
  CryptoKey: crypto.CryptoKey,
  CustomEvent: event.CustomEvent,
  DecompressionStream,
  DOMException,
  ErrorEvent: event.ErrorEvent,
  Event: event.Event,
  EventTarget: event.EventTarget,
  File: file.File,
  FileReader,
  MessageEvent: event.MessageEvent,
  Performance: performance.Performance,
  performance: performance.performance,
  PerformanceEntry: performance.PerformanceEntry,
  PerformanceMark: performance.PerformanceMark,
  PerformanceMeasure: performance.PerformanceMeasure,
  ProgressEvent: event.ProgressEvent,
  PromiseRejectionEvent: event.PromiseRejectionEvent,
  queueMicrotask: globalThis.queueMicrotask,
  QuotaExceededError,
  ReadableByteStreamController: streams.ReadableByteStreamController,
  ReadableStream: streams.ReadableStream,
  ReadableStreamBYOBReader: streams.ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest: streams.ReadableStreamBYOBRequest,
  ReadableStreamDefaultController: streams.ReadableStreamDefaultController,
  ReadableStreamDefaultReader: streams.ReadableStreamDefaultReader,
  setInterval: timers.setInterval,
  setTimeout: timers.setTimeout,
  structuredClone,
  SubtleCrypto: crypto.SubtleCrypto,
  TextDecoder: encoding.TextDecoder,
  TextDecoderStream: encoding.TextDecoderStream,
  TextEncoder: encoding.TextEncoder,
  TextEncoderStream: encoding.TextEncoderStream,
  TransformStream: streams.TransformStream,
  TransformStreamDefaultController: streams.TransformStreamDefaultController,
  URL: url.URL,
  URLPattern,
  URLSearchParams: url.URLSearchParams,
  WritableStream: streams.WritableStream,
  WritableStreamDefaultController: streams.WritableStreamDefaultController,
  WritableStreamDefaultWriter: streams.WritableStreamDefaultWriter,
});

// The instance of Crypto lives on a heap that a snapshot cannot hold: it is made when first asked for.
ObjectDefineProperty(globalThis, "crypto", {
  __proto__: null,
  get: () => crypto.crypto,
  configurable: true,
  enumerable: false,
});

/**
 * Takes growth from SharedArrayBuffer: V8 counts shared memory that grows for nobody. There is no other thread to share
 * it with anyway. To be called in the isolate that runs, since a snapshot has none.
 */
export function fixSharedMemory() {
  const Native = globalThis.SharedArrayBuffer;
  function SharedArrayBuffer(length) {
    if (new.target === undefined) throw new TypeError("Constructor SharedArrayBuffer requires 'new'");
    return ReflectConstruct(Native, [length], new.target);
  }
  ObjectSetPrototypeOf(SharedArrayBuffer, FunctionPrototype);
  for (const key of new SafeArrayIterator(ReflectOwnKeys(Native))) {
    ObjectDefineProperty(SharedArrayBuffer, key, ReflectGetOwnPropertyDescriptor(Native, key));
  }
  ObjectDefineProperty(SharedArrayBuffer.prototype, "constructor", { __proto__: null, value: SharedArrayBuffer });
  define({ SharedArrayBuffer });
}
