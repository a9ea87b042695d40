// Globals that are Deno's but for their limits, in every realm. Loaded before there is any code of the hook.

import { core, primordials } from "ext:core/mod.js";

const {
  ArrayBufferPrototypeGetByteLength,
  ArrayBufferPrototypeTransferToFixedLength,
  ArrayFrom,
  ArrayPrototypePush,
  DataViewPrototypeGetBuffer,
  DataViewPrototypeGetByteLength,
  DataViewPrototypeGetByteOffset,
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
const { op_compression_finish, op_compression_new, op_compression_write } = core.ops;
const load = (script) => core.loadExtScript(script);

const webidl = load("ext:deno_webidl/00_webidl.js");
const { DOMException } = load("ext:deno_web/01_dom_exception.js");
const streams = load("ext:deno_web/06_streams.js");
const message = load("ext:deno_web/13_message_port.js");
// It defines what a format is, for webidl.
load("ext:deno_web/14_compression.js");

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
export class DecompressionStream {
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
export function structuredClone(value, options = undefined) {
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
