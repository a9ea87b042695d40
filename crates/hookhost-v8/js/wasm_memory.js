// Counts the memories of WebAssembly, which V8 counts for nobody.
//
// A memory grows in JavaScript (`grow`) or in WebAssembly itself; so those that are known are measured before and after
// each call too, and when there is another one. One that a module neither imports nor exports is not seen: V8 limits how
// large a single one may be.
//
// Once the hook runs, nothing here may go through what it can replace: a prototype, a species, a setter for the index 0.

import { core, primordials } from "ext:core/mod.js";
import { admitted } from "ext:hookhost_hook/wasm_types.js";

const {
  ArrayBufferPrototypeGetByteLength,
  ObjectDefineProperty,
  ObjectKeys,
  ObjectSetPrototypeOf,
  Promise,
  PromisePrototypeThen,
  PromiseReject,
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
const { op_hookhost_outside_memory } = core.ops;

/** What is known of each memory: { ref, bytes, next }. A list without prototypes. */
let known = null;
const byMemory = new SafeWeakMap();
const gone = new SafeFinalizationRegistry((entry) => op_hookhost_outside_memory(-entry.bytes));

let bufferOf;
let sharedLength;
let exportsOf;
let exportsOfModule;

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
    measureMemories();
    entry = { __proto__: null, ref: new SafeWeakRef(memory), bytes: 0, next: known };
    WeakMapPrototypeSet(byMemory, memory, entry);
    known = entry;
    gone.register(memory, entry);
  }
  count(entry, bytes);
}

function count(entry, bytes) {
  const grown = bytes - entry.bytes;
  if (grown === 0) return;
  entry.bytes = bytes;
  op_hookhost_outside_memory(grown);
}

function trackExports(instance) {
  const exports = ReflectApply(exportsOf, instance, []);
  for (const name of new SafeArrayIterator(ObjectKeys(exports))) track(exports[name]);
}

/** Measures what may have grown. */
export function measureMemories() {
  let last = null;
  for (let entry = known; entry !== null; entry = entry.next) {
    const memory = WeakRefPrototypeDeref(entry.ref);
    if (memory !== undefined) {
      count(entry, sizeOf(memory));
      last = entry;
    } else if (last === null) {
      known = entry.next;
    } else {
      last.next = entry.next;
    }
  }
}

/**
 * WebAssembly.instantiate, made of its two steps. V8's own looks for a `then` in what it has made, which a hook may have
 * put into the prototype of all objects: it would get the instance before its memories are tracked.
 */
function fromBytes(Native, compile, bytes, imports, options) {
  let compiled;
  try {
    compiled = compile(admitted(bytes), options);
  } catch (error) {
    return PromiseReject(error);
  }
  // Else `then` would ask the promise for its class.
  ObjectDefineProperty(compiled, "constructor", { __proto__: null, value: undefined });
  return PromisePrototypeThen(compiled, (module) => {
    const instance = new Native(module, imports);
    trackExports(instance);
    return { module, instance };
  });
}

function fromModule(Native, module, imports) {
  return new Promise((resolve) => {
    const instance = new Native(module, imports);
    trackExports(instance);
    resolve(instance);
  });
}

function isModule(value) {
  try {
    exportsOfModule(value);
    return true;
  } catch {
    return false;
  }
}

/** A class that does `before` with its first argument, and `after` with each of its new instances. */
function wrapClass(Native, after, before = undefined) {
  const name = Native.name;
  const Wrapped = {
    [name]: function (...args) {
      if (new.target === undefined) throw new TypeError(`WebAssembly.${name} must be invoked with 'new'`);
      if (before !== undefined) args[0] = before(args[0]);
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
  const { Memory, Instance, Module, compile, validate } = WebAssembly;
  bufferOf = ReflectGetOwnPropertyDescriptor(Memory.prototype, "buffer").get;
  sharedLength = ReflectGetOwnPropertyDescriptor(SharedArrayBuffer.prototype, "byteLength").get;
  exportsOf = ReflectGetOwnPropertyDescriptor(Instance.prototype, "exports").get;
  exportsOfModule = Module.exports;
  const grow = Memory.prototype.grow;
  replace(Memory.prototype, "grow", {
    grow(delta) {
      const before = ReflectApply(grow, this, [delta]);
      track(this);
      return before;
    },
  }.grow);
  // They want a handler of Deno's runtime, and end the process without it.
  delete WebAssembly.compileStreaming;
  delete WebAssembly.instantiateStreaming;
  replace(WebAssembly, "compile", {
    compile(source, options = undefined) {
      try {
        return compile(admitted(source), options);
      } catch (error) {
        return PromiseReject(error);
      }
    },
  }.compile);
  replace(WebAssembly, "validate", {
    validate(source, options = undefined) {
      return validate(admitted(source), options);
    },
  }.validate);
  replace(WebAssembly, "Module", wrapClass(Module, () => {}, admitted));
  replace(WebAssembly, "Memory", wrapClass(Memory, track));
  replace(WebAssembly, "Instance", wrapClass(Instance, trackExports));
  replace(WebAssembly, "instantiate", {
    instantiate(source, imports = undefined, options = undefined) {
      if (isModule(source)) return fromModule(Instance, source, imports);
      return fromBytes(Instance, compile, source, imports, options);
    },
  }.instantiate);
}
