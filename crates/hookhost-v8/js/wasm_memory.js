// Counts the memories of WebAssembly, which V8 counts for nobody.
//
// A memory grows in JavaScript (`grow`) or in WebAssembly itself; so those that are known are measured after each call
// too. One that a module neither imports nor exports is not seen: V8 limits how large a single one may be.

import { primordials } from "ext:core/mod.js";
import { op_hookhost_outside_memory } from "ext:core/ops";

const {
  ArrayBufferPrototypeGetByteLength,
  ArrayPrototypeFilter,
  ArrayPrototypePush,
  ObjectDefineProperty,
  ObjectKeys,
  ObjectSetPrototypeOf,
  PromisePrototypeThen,
  ReflectApply,
  ReflectConstruct,
  ReflectGetOwnPropertyDescriptor,
  ReflectOwnKeys,
  SafeArrayIterator,
  SafeFinalizationRegistry,
  SafeWeakMap,
  SafeWeakRef,
  TypeError,
  WeakMapPrototypeGet,
  WeakMapPrototypeSet,
  WeakRefPrototypeDeref,
} = primordials;

/** What is known of each memory: { ref, bytes }. */
let known = [];
const byMemory = new SafeWeakMap();
const gone = new SafeFinalizationRegistry((entry) => op_hookhost_outside_memory(-entry.bytes));

let bufferOf;
let sharedLength;

/** The size of a memory in bytes, or -1 if it is none. */
function sizeOf(value) {
  let buffer;
  try {
    buffer = ReflectApply(bufferOf, value, []);
  } catch {
    return -1;
  }
  try {
    return ArrayBufferPrototypeGetByteLength(buffer);
  } catch {
    return ReflectApply(sharedLength, buffer, []);
  }
}

function track(memory) {
  const bytes = sizeOf(memory);
  if (bytes < 0) return;
  let entry = WeakMapPrototypeGet(byMemory, memory);
  if (entry === undefined) {
    entry = { __proto__: null, ref: new SafeWeakRef(memory), bytes: 0 };
    WeakMapPrototypeSet(byMemory, memory, entry);
    ArrayPrototypePush(known, entry);
    gone.register(memory, entry);
  }
  if (bytes !== entry.bytes) {
    op_hookhost_outside_memory(bytes - entry.bytes);
    entry.bytes = bytes;
  }
}

function trackExports(instance) {
  const exports = instance.exports;
  for (const name of new SafeArrayIterator(ObjectKeys(exports))) track(exports[name]);
}

/** Measures what may have grown. */
export function measureMemories() {
  if (known.length === 0) return;
  known = ArrayPrototypeFilter(known, (entry) => {
    const memory = WeakRefPrototypeDeref(entry.ref);
    if (memory === undefined) return false;
    track(memory);
    return true;
  });
}

/** A class that does `after` with each of its new instances. */
function wrapClass(Native, after) {
  const name = Native.name;
  const Wrapped = {
    [name]: function (...args) {
      if (new.target === undefined) throw new TypeError(`WebAssembly.${name} must be invoked with 'new'`);
      const made = ReflectConstruct(Native, args, new.target);
      after(made);
      return made;
    },
  }[name];
  ObjectSetPrototypeOf(Wrapped, Native.__proto__);
  for (const key of new SafeArrayIterator(ReflectOwnKeys(Native))) {
    ObjectDefineProperty(Wrapped, key, ReflectGetOwnPropertyDescriptor(Native, key));
  }
  replace(Wrapped.prototype, "constructor", Wrapped);
  return Wrapped;
}

function replace(object, name, value) {
  ObjectDefineProperty(object, name, { ...ReflectGetOwnPropertyDescriptor(object, name), __proto__: null, value });
}

/** To be called in the isolate that runs, before there is any code of the hook. */
export function countMemories() {
  const { WebAssembly, SharedArrayBuffer } = globalThis;
  const { Memory, Instance, instantiate } = WebAssembly;
  bufferOf = ReflectGetOwnPropertyDescriptor(Memory.prototype, "buffer").get;
  sharedLength = ReflectGetOwnPropertyDescriptor(SharedArrayBuffer.prototype, "byteLength").get;
  const grow = Memory.prototype.grow;
  replace(Memory.prototype, "grow", {
    grow(delta) {
      const before = ReflectApply(grow, this, [delta]);
      track(this);
      return before;
    },
  }.grow);
  replace(WebAssembly, "Memory", wrapClass(Memory, track));
  replace(WebAssembly, "Instance", wrapClass(Instance, trackExports));
  replace(WebAssembly, "instantiate", {
    instantiate(source, imports) {
      return PromisePrototypeThen(ReflectApply(instantiate, WebAssembly, [source, imports]), (made) => {
        trackExports(made.instance ?? made);
        return made;
      });
    },
  }.instantiate);
}
