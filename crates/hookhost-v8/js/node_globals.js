// What the Node realm changes of Deno's globals before the hook runs.

import { core, internals, primordials } from "ext:core/mod.js";
import "ext:hookhost_node/node_handles.js";
import { DecompressionStream, define, structuredClone } from "ext:hookhost_hook/limited_globals.js";
import { boundOps, tellWhyNothingStarted } from "ext:hookhost_node/node_ops.js";
import { printed } from "ext:hookhost_hook/hook.js";

const {
  ArrayPrototypeIncludes,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  ObjectPrototypeIsPrototypeOf,
  PromiseReject,
  ReflectApply,
  ReflectGetOwnPropertyDescriptor,
  SafeArrayIterator,
  StringPrototypeStartsWith,
  TypedArrayPrototypeGetByteLength,
  TypeError,
} = primordials;

const { op_hookhost_asked_by_deno, op_set_format_exception_callback } = core.ops;

const io = core.loadExtScript("ext:deno_io/12_io.js");
const { TextDecoder } = core.loadExtScript("ext:deno_web/08_text_encoding.js");
const { decode } = TextDecoder.prototype;
const { URL } = core.loadExtScript("ext:deno_web/00_url.js");
const { get: protocolOf } = ReflectGetOwnPropertyDescriptor(URL.prototype, "protocol");
const { RequestPrototype } = core.loadExtScript("ext:deno_fetch/23_request.js");
const { get: urlOf } = ReflectGetOwnPropertyDescriptor(RequestPrototype, "url");

/** Globals of Deno that Node does not have, or that make no sense in a hook. */
const GONE = [
  "alert",
  "BroadcastChannel",
  "Cache",
  "CacheStorage",
  "caches",
  "close",
  "closed",
  "confirm",
  "createImageBitmap",
  "EventSource",
  "ImageBitmap",
  "ImageBitmapRenderingContext",
  "ImageData",
  "localStorage",
  "Location",
  "location",
  "MessageChannel",
  "MessagePort",
  "name",
  "OffscreenCanvas",
  "onbeforeunload",
  "onerror",
  "onload",
  "onunload",
  "prompt",
  "sessionStorage",
  "Storage",
  "Window",
  "Worker",
];

/** The same, by how they begin. */
const GONE_FAMILIES = [
  "CSS",
  "DOMMatrix",
  "DOMPoint",
  "DOMQuad",
  "DOMRect",
  "GPU",
  "Lock",
  "WebSocketE",
  "WebSocketS",
  "WebTransport",
];

/**
 * What Deno's scripts for Node read of the global `Deno`. Nothing of it does more than Node's own modules.
 */
const DENO = [
  "addSignalListener",
  "args",
  "build",
  "chmod",
  "chmodSync",
  "chown",
  "chownSync",
  "connectTls",
  "consoleSize",
  "copyFile",
  "copyFileSync",
  "cpuUsage",
  "cwd",
  "env",
  "errors",
  "execPath",
  "exit",
  "exitCode",
  "gid",
  "hostname",
  "inspect",
  "link",
  "linkSync",
  "loadavg",
  "lstat",
  "lstatSync",
  "mainModule",
  "memoryUsage",
  "mkdir",
  "mkdirSync",
  "networkInterfaces",
  "noColor",
  "osRelease",
  "pid",
  "ppid",
  "readDir",
  "readDirSync",
  "readLink",
  "readLinkSync",
  "realPath",
  "realPathSync",
  "remove",
  "removeSignalListener",
  "removeSync",
  "rename",
  "renameSync",
  "resolveDns",
  "serve",
  "stat",
  "statSync",
  "symlink",
  "symlinkSync",
  "systemMemoryInfo",
  "uid",
  "utime",
  "utimeSync",
  "version",
  "watchFs",
];

/** To be called when Deno's own start is done. */
function start(mostBytes) {
  const captured = core.loadExtScript("ext:hookhost_node/captured_core.js");
  boundOps(captured.ops, mostBytes);
  tellWhyNothingStarted(captured);
  for (const name of new SafeArrayIterator(ObjectGetOwnPropertyNames(globalThis))) {
    if (ArrayPrototypeIncludes(GONE, name) || isOfFamily(name)) delete globalThis[name];
  }
  hideDeno();
  define({ DecompressionStream, fetch: fetchFromNetwork(globalThis.fetch), structuredClone });
  internals.__nodeBootstrapArgs.denoVersion = { __proto__: null, v8: internals.__nodeBootstrapArgs.denoVersion.v8 };
  print(io.stdout);
  print(io.stderr);
  // Deno prints what was thrown for a terminal, and asks the hook's own values for that. V8's words will do.
  op_set_format_exception_callback(() => null);
  delete Navigator.prototype.gpu;
}

/**
 * Deno's scripts for Node read the global `Deno` while they run, so it has to be there for them. Hooks are written for
 * Node: they do not see it. That is no boundary: who wants it finds a way, and finds nothing that Node's modules cannot.
 */
function hideDeno() {
  const reduced = {};
  for (const name of new SafeArrayIterator(DENO)) {
    const property = ReflectGetOwnPropertyDescriptor(globalThis.Deno, name);
    if (property !== undefined) ObjectDefineProperty(reduced, name, { ...property, __proto__: null });
  }
  let Deno;
  ObjectDefineProperty(globalThis, "Deno", {
    __proto__: null,
    get() {
      return op_hookhost_asked_by_deno() ? reduced : Deno;
    },
    set(value) {
      Deno = value;
    },
    enumerable: false,
    configurable: true,
  });
}

/** Deno's fetch reads files too, Node's does not. */
function fetchFromNetwork(fetch) {
  return {
    fetch(input, init = undefined) {
      try {
        const isRequest = ObjectPrototypeIsPrototypeOf(RequestPrototype, input);
        // Asked once: what a text is the next time may be another.
        if (!isRequest) input = `${input}`;
        const url = new URL(isRequest ? ReflectApply(urlOf, input, []) : input);
        if (ReflectApply(protocolOf, url, []) === "file:") {
          return PromiseReject(new TypeError("fetch reads no files: use node:fs"));
        }
      } catch {
        // It is no URL, and fetch says so.
      }
      return ReflectApply(fetch, globalThis, [input, init]);
    },
  }.fetch;
}

function isOfFamily(name) {
  for (const family of new SafeArrayIterator(GONE_FAMILIES)) {
    if (StringPrototypeStartsWith(name, family)) return true;
  }
  return false;
}

/** What is written to it is a line of the log. It knows which call it belongs to, which a file does not. */
function print(stream) {
  const decoder = new TextDecoder();
  ObjectDefineProperty(stream, "writeSync", {
    __proto__: null,
    value(bytes) {
      printed(ReflectApply(decode, decoder, [bytes]));
      return TypedArrayPrototypeGetByteLength(bytes);
    },
  });
}

// Taken and removed by the host before the hook's module is loaded.
globalThis.__hookhostNode = { start };
