// Deno's native objects, for hooks that get hold of them: what their Rust takes for granted is made sure of here.
//
// To be loaded before Deno's own scripts, which take the objects' classes from the ops.

import { core, primordials } from "ext:core/mod.js";
import { takePipe } from "ext:hookhost_node/node_ops.js";

const {
  Error,
  JSONStringify,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  Proxy,
  RangeError,
  ReflectApply,
  ReflectConstruct,
  ReflectGetOwnPropertyDescriptor,
  SafeArrayIterator,
  SafeWeakMap,
  SafeWeakSet,
  StringPrototypeStartsWith,
  TypeError,
  WeakMapPrototypeGet,
  WeakMapPrototypeSet,
  WeakSetPrototypeAdd,
  WeakSetPrototypeDelete,
  WeakSetPrototypeHas,
} = primordials;

const { op_hookhost_asked_by_deno, op_hookhost_send_text } = core.ops;

/** EBADF, as libuv has it. */
const BAD_DESCRIPTOR = -9;

/** How many statements a store of node:sqlite may keep: it takes the memory for all of them at once. */
const MOST_STATEMENTS = 100_000;

/** Classes whose objects come from the methods of another one: they are made safe together with that one. */
const KIN = {
  __proto__: null,
  DatabaseSync: ["DatabaseSyncLimits", "Session", "SQLTagStore", "StatementSync"],
  Http2Session: ["Http2Stream"],
  LibUvStreamWrap: ["AsyncWrap", "HandleWrap"],
  PipeWrap: ["LibUvStreamWrap"],
  TCPWrap: ["LibUvStreamWrap"],
  TLSWrap: ["LibUvStreamWrap"],
};

/** Classes that Deno's scripts have taken before this one runs. */
const TAKEN = ["Console", "Crypto", "CryptoKey", "SubtleCrypto"];

const { ops } = core.loadExtScript("ext:hookhost_node/captured_core.js");

/** What is made sure of for the objects of a class; a class may be given back that takes its place. */
const PREPARE = {
  __proto__: null,
  DatabaseSync: prepareDatabase,
  Http2Session: (native) => prepareHttp2(native, ["origin", "request"]),
  Http2Stream: (native) => prepareHttp2(native, ["info", "pushPromise", "respond", "trailers"]),
  HTTPParser: parserThatStartsOnce,
  PipeWrap: (native) => keepDescriptors(native, takePipe),
  Session: prepareSession,
  SQLTagStore: prepareQueries,
  StatementSync: prepareStatement,
  TCPWrap: prepareSocket,
  TTY: noTerminal,
  WasiContext: (native) =>
    refused(native, "node:wasi is not available in a hook: it would read and write what is the host's"),
};

/** Deno's scripts take a class when they are loaded. To look at all of them before costs each hook memory and time. */
function makeSafeWhenTaken() {
  for (const name of new SafeArrayIterator(ObjectGetOwnPropertyNames(ops))) {
    if (StringPrototypeStartsWith(name, "op_")) continue;
    const native = ops[name];
    if (typeof native !== "function") continue;
    let safe;
    ObjectDefineProperty(ops, name, {
      __proto__: null,
      get() {
        if (safe === undefined) {
          safe = PREPARE[name]?.(native) ?? callOnlyWithNew(name, native);
          ObjectDefineProperty(native.prototype, "constructor", {
            __proto__: null,
            value: safe,
            writable: true,
            enumerable: false,
            configurable: true,
          });
          for (const kin of new SafeArrayIterator(KIN[name] ?? [])) void ops[kin];
        }
        return safe;
      },
      enumerable: true,
      configurable: true,
    });
  }
  for (const name of new SafeArrayIterator(TAKEN)) void ops[name];
}

/** A native class that is called without `new` takes whatever `this` is for memory of its own kind. */
function callOnlyWithNew(name, native) {
  const guarded = new Proxy(native, {
    __proto__: null,
    apply() {
      throw new TypeError(`Class constructor ${name} cannot be invoked without 'new'`);
    },
    construct(_native, args, target) {
      return ReflectConstruct(native, args, target === guarded ? native : target);
    },
  });
  return guarded;
}

/** Puts another function in place of a method, or of more than one. `make` is given the method and its name. */
function replace(native, names, make) {
  for (const name of new SafeArrayIterator(names)) {
    const property = ReflectGetOwnPropertyDescriptor(native.prototype, name);
    if (name === "constructor" || typeof property?.value !== "function") continue;
    const value = make(property.value, name);
    ObjectDefineProperty(value, "name", { __proto__: null, value: name });
    ObjectDefineProperty(native.prototype, name, { ...property, __proto__: null, value });
  }
}

function prepareSocket(TCPWrap) {
  keepDescriptors(TCPWrap, () => false);
  askBeforeListening(TCPWrap);
}

/** A socket made of the number of a descriptor would read and close what is the host's, unless it is a child's. */
function keepDescriptors(native, isOwn) {
  replace(native, ["open"], (open) =>
    function (number) {
      return isOwn(number) ? ReflectApply(open, this, [number]) : BAD_DESCRIPTOR;
    });
}

/** A server that is bound to nothing listens everywhere, and only what binds asks the sandbox. */
function askBeforeListening(TCPWrap) {
  const bound = new SafeWeakSet();
  replace(TCPWrap, ["bind", "bindWithFlags", "bind6"], (bind) =>
    function (...args) {
      const error = ReflectApply(bind, this, args);
      if (error === 0) WeakSetPrototypeAdd(bound, this);
      return error;
    });
  const { bind } = TCPWrap.prototype;
  replace(TCPWrap, ["listen"], (listen) =>
    function (backlog) {
      const error = WeakSetPrototypeHas(bound, this) ? 0 : ReflectApply(bind, this, ["0.0.0.0", 0]);
      return error === 0 ? ReflectApply(listen, this, [backlog]) : error;
    });
}

/** The log is no terminal, and the terminal of the host is not the hook's. */
function noTerminal(TTY) {
  ObjectDefineProperty(TTY, "isTTY", { __proto__: null, value: () => false });
  return refused(TTY, "there is no terminal in a hook: it is the host's; what a hook prints is its log");
}

/** A class of which there are no objects. */
function refused(native, why) {
  const refuse = () => {
    throw new TypeError(why);
  };
  return new Proxy(native, { __proto__: null, apply: refuse, construct: refuse });
}

/**
 * Its objects hold on to one another by bare pointers, in an order that Deno's own scripts keep to. That a hook cannot call
 * them is no boundary: it can have a function of Deno's do it. Methods that are given a text of headers are told how many
 * there are, and make room for as many.
 */
function prepareHttp2(native, counted) {
  replace(native, counted, (method) =>
    function (text, count, ...others) {
      if (typeof text !== "string" || !(count >= 0 && count <= text.length)) {
        throw new RangeError("There cannot be so many headers in this text");
      }
      return ReflectApply(method, this, [text, count, ...new SafeArrayIterator(others)]);
    });
  replace(native, ObjectGetOwnPropertyNames(native.prototype), (method, name) =>
    function (...args) {
      if (!op_hookhost_asked_by_deno()) throw new TypeError(`${name} of HTTP/2 is for node:http2 alone`);
      return ReflectApply(method, this, args);
    });
}

// What frees something of a database, or starts a query anew, must not be called by what the query itself calls: a function
// of the hook, or a getter of a value.

/** What a statement, a session or a store belongs to. */
const databases = new SafeWeakMap();
/** How many of the methods below are under way, by database. */
const depths = new SafeWeakMap();
/** The statements of which one is. */
const running = new SafeWeakSet();

function depthOf(owner) {
  return WeakMapPrototypeGet(depths, WeakMapPrototypeGet(databases, owner) ?? owner) ?? 0;
}

function deeper(owner, by) {
  WeakMapPrototypeSet(depths, WeakMapPrototypeGet(databases, owner) ?? owner, depthOf(owner) + by);
}

/** A method that may call what the hook has given the database. */
function asks(method, _name, owner = undefined) {
  return function (...args) {
    const own = owner ?? this;
    deeper(own, 1);
    try {
      return ReflectApply(method, this, args);
    } finally {
      deeper(own, -1);
    }
  };
}

/** The same, and what it makes belongs to the database. */
function makes(method) {
  const make = asks(method);
  return function (...args) {
    const made = ReflectApply(make, this, args);
    WeakMapPrototypeSet(databases, made, this);
    return made;
  };
}

/** A method that frees something. */
function frees(method, name) {
  const free = asks(method);
  return function (...args) {
    if (depthOf(this) > 0) throw busy(name);
    return ReflectApply(free, this, args);
  };
}

/** A method that starts a statement, or goes on with it. */
function runs(method, name, statement = undefined) {
  const run = asks(method, name, statement);
  return function (...args) {
    const own = statement ?? this;
    if (WeakSetPrototypeHas(running, own)) throw busy(name);
    WeakSetPrototypeAdd(running, own);
    try {
      return ReflectApply(run, this, args);
    } finally {
      WeakSetPrototypeDelete(running, own);
    }
  };
}

/** The same, and its rows are taken one by one. */
function iterates(method, name) {
  const start = runs(method, name);
  return function (...args) {
    const rows = ReflectApply(start, this, args);
    rows.next = runs(rows.next, "next", this);
    rows.return = runs(rows.return, "return", this);
    return rows;
  };
}

function prepareDatabase(DatabaseSync) {
  replace(DatabaseSync, ["applyChangeset", "exec", "serialize"], asks);
  replace(DatabaseSync, ["close", "deserialize", "loadExtension", "open"], frees);
  replace(DatabaseSync, ["createTagStore"], (create) =>
    function (capacity) {
      if (typeof capacity === "number" && !(capacity >= 0 && capacity <= MOST_STATEMENTS)) {
        throw new RangeError(`node:sqlite: a hook's tag store keeps ${MOST_STATEMENTS} statements at most`);
      }
      return ReflectApply(create, this, [capacity]);
    });
  replace(DatabaseSync, ["createSession", "createTagStore", "prepare"], makes);
}

function prepareSession(Session) {
  replace(Session, ["changeset", "patchset"], asks);
  replace(Session, ["close"], frees);
}

function prepareQueries(native) {
  replace(native, ["all", "get", "run"], runs);
  replace(native, ["iterate"], iterates);
  replace(native, ["clear"], frees);
}

function prepareStatement(StatementSync) {
  prepareQueries(StatementSync);
  // The text of an empty statement is none at all, and only the other text is looked at before it is read.
  const { get: expanded } = ReflectGetOwnPropertyDescriptor(StatementSync.prototype, "expandedSQL");
  const property = ReflectGetOwnPropertyDescriptor(StatementSync.prototype, "sourceSQL");
  const source = property.get;
  ObjectDefineProperty(StatementSync.prototype, "sourceSQL", {
    ...property,
    __proto__: null,
    get() {
      ReflectApply(expanded, this, []);
      return ReflectApply(source, this, []);
    },
  });
}

function busy(name) {
  return new Error(`node:sqlite: ${name}() cannot be called by what a running query calls: call it when the query is done`);
}

/** Deno's op reads a message in Rust, and takes for granted that nothing of it loops, throws, or runs code. */
function sendTexts() {
  ops.op_node_ipc_write_json = (channel, message, descriptor, queueOk) =>
    op_hookhost_send_text(channel, JSONStringify(message) ?? "null", descriptor, queueOk);
}

/** To start a native parser again in the middle of its work takes away what that works with: so another one starts. */
function parserThatStartsOnce(HTTPParser) {
  /** A connection that feeds a parser knows where it lies, and nothing else. */
  const feeding = new SafeWeakMap();

  return class {
    #native = new HTTPParser();
    #hasStarted = false;
    /** The one that a connection feeds. */
    #fed = undefined;

    initialize(...args) {
      if (this.#hasStarted) this.#native = new HTTPParser();
      this.#hasStarted = true;
      this.#native.initialize(...new SafeArrayIterator(args));
    }
    execute(callbacks, data) {
      return this.#native.execute(callbacks, data);
    }
    finish(callbacks) {
      return this.#native.finish(callbacks);
    }
    pause() {
      this.#native.pause();
    }
    resume() {
      this.#native.resume();
    }
    close() {
      this.#native.close();
    }
    free() {
      this.#native.free();
    }
    remove() {
      this.#native.remove();
    }
    hasHeaderOverflow() {
      return this.#native.hasHeaderOverflow();
    }
    getLastBytesParsed() {
      return this.#native.getLastBytesParsed();
    }
    getLastErrorCode() {
      return this.#native.getLastErrorCode();
    }
    getLastErrorReason() {
      return this.#native.getLastErrorReason();
    }
    getCurrentBuffer() {
      return this.#native.getCurrentBuffer();
    }
    consume(callbacks, connection) {
      this.#native.consume(callbacks, connection);
      WeakMapPrototypeSet(feeding, connection, this.#native);
      this.#fed = this.#native;
    }
    unconsume() {
      (this.#fed ?? this.#native).unconsume();
      this.#fed = undefined;
    }
  };
}

makeSafeWhenTaken();
sendTexts();
