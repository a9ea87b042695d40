// The globals of the web realm: what a service worker has, from Deno's own scripts.
//
// Everything here is loaded while the snapshot is made. A script that were loaded later would be read from the build
// machine's disk, and the binary would not run elsewhere.

import { core, internals, primordials } from "ext:core/mod.js";
import { DecompressionStream, define, structuredClone } from "ext:hookhost_hook/limited_globals.js";

const {
  Error,
  ObjectDefineProperty,
  SafeArrayIterator,
} = primordials;
const load = (script) => core.loadExtScript(script);

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
