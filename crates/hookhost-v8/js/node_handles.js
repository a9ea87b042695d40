// Deno's native objects, for hooks that get hold of them: what their Rust takes for granted is made sure of here.
//
// To be loaded before Deno's own scripts, which take the objects' classes from the ops.

import { core, primordials } from "ext:core/mod.js";

const {
  ArrayIsArray,
  Error,
  JSONParse,
  JSONStringify,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  ObjectKeys,
  ObjectSetPrototypeOf,
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
  WeakMapPrototypeSet,
  WeakSetPrototypeAdd,
  WeakSetPrototypeDelete,
  WeakSetPrototypeHas,
} = primordials;

const { op_hookhost_asked_by_deno } = core.ops;

/** How deep a message to a child may nest: Deno goes down the stack with each level. */
const DEEPEST_MESSAGE = 1000;
/** How many statements a store of node:sqlite may keep: it takes the memory for all of them at once. */
const MOST_STATEMENTS = 100_000;

const ops = core.loadExtScript("ext:hookhost_node/captured_ops.js");

const {
  DatabaseSync,
  Http2Session,
  Http2Stream,
  HTTPParser,
  op_node_ipc_write_json,
  Session,
  SQLTagStore,
  StatementSync,
  TCPWrap,
} = ops;

askBeforeListening();
countHeaders();
keepToDeno(Http2Session, "HTTP/2 session");
keepToDeno(Http2Stream, "HTTP/2 stream");
freeNothingFromWithin();
keepStoresSmall();
readEmptyStatements();
sendPlainMessages();
callOnlyWithNew();
ops.HTTPParser = parserThatStartsOnce();

/**
 * A native class that is called without `new` takes whatever `this` is for memory of its own kind.
 */
function callOnlyWithNew() {
  for (const name of new SafeArrayIterator(ObjectGetOwnPropertyNames(ops))) {
    const native = ops[name];
    if (StringPrototypeStartsWith(name, "op_") || typeof native !== "function") continue;
    const isClass = native.prototype !== undefined && native.prototype.constructor === native;
    if (!isClass) continue;
    const guarded = new Proxy(native, {
      __proto__: null,
      apply() {
        throw new TypeError(`Class constructor ${name} cannot be invoked without 'new'`);
      },
      construct(_native, args, target) {
        return ReflectConstruct(native, args, target === guarded ? native : target);
      },
    });
    ObjectDefineProperty(native.prototype, "constructor", {
      __proto__: null,
      value: guarded,
      writable: true,
      enumerable: false,
      configurable: true,
    });
    ops[name] = guarded;
  }
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

/** A server that is bound to nothing listens everywhere, and only what binds asks the sandbox. */
function askBeforeListening() {
  const bound = new SafeWeakSet();
  replace(TCPWrap, ["bind", "bindWithFlags", "bind6"], (bind) =>
    function (...args) {
      const error = ReflectApply(bind, this, args);
      if (error === 0) WeakSetPrototypeAdd(bound, this);
      return error;
    });
  replace(TCPWrap, ["listen"], (listen) =>
    function (backlog) {
      const error = WeakSetPrototypeHas(bound, this) ? 0 : this.bind("0.0.0.0", 0);
      return error === 0 ? ReflectApply(listen, this, [backlog]) : error;
    });
}

/** They hold on to one another by bare pointers, in an order that Deno's own scripts keep to. */
function keepToDeno(native, what) {
  replace(native, ObjectGetOwnPropertyNames(native.prototype), (method, name) =>
    function (...args) {
      if (!op_hookhost_asked_by_deno()) throw new TypeError(`${name} of an ${what} is for node:http2 alone`);
      return ReflectApply(method, this, args);
    });
}

/** As many as they say is the room that is made for them. */
function countHeaders() {
  const counted = (method) =>
    function (text, count, ...others) {
      if (typeof text !== "string" || !(count >= 0 && count <= text.length)) {
        throw new RangeError("There cannot be so many headers in this text");
      }
      return ReflectApply(method, this, [text, count, ...new SafeArrayIterator(others)]);
    };
  replace(Http2Session, ["origin", "request"], counted);
  replace(Http2Stream, ["info", "pushPromise", "respond", "trailers"], counted);
}

/**
 * What frees something of a database, or starts a query anew, must not be called by what the query itself calls: a function
 * of the hook, or a getter of a value.
 */
function freeNothingFromWithin() {
  let depth = 0;
  const running = new SafeWeakSet();

  const asks = (method) =>
    function (...args) {
      depth += 1;
      try {
        return ReflectApply(method, this, args);
      } finally {
        depth -= 1;
      }
    };
  const frees = (method, name) =>
    function (...args) {
      if (depth > 0) throw busy(name);
      return ReflectApply(asks(method), this, args);
    };
  const run = (query, name, method, self, args) => {
    if (WeakSetPrototypeHas(running, query)) throw busy(name);
    WeakSetPrototypeAdd(running, query);
    depth += 1;
    try {
      return ReflectApply(method, self, args);
    } finally {
      depth -= 1;
      WeakSetPrototypeDelete(running, query);
    }
  };
  const runs = (method, name) =>
    function (...args) {
      return run(this, name, method, this, args);
    };
  const iterates = (method, name) =>
    function (...args) {
      const rows = run(this, name, method, this, args);
      for (const step of new SafeArrayIterator(["next", "return"])) {
        const take = rows[step];
        ObjectDefineProperty(rows, step, {
          __proto__: null,
          value: (...args) => run(this, step, take, rows, args),
          writable: true,
          enumerable: true,
          configurable: true,
        });
      }
      return rows;
    };

  replace(DatabaseSync, ["applyChangeset", "exec", "prepare", "serialize"], asks);
  replace(DatabaseSync, ["close", "deserialize", "loadExtension", "open"], frees);
  replace(Session, ["changeset", "patchset"], asks);
  replace(Session, ["close"], frees);
  replace(SQLTagStore, ["clear"], frees);
  for (const native of new SafeArrayIterator([StatementSync, SQLTagStore])) {
    replace(native, ["all", "get", "run"], runs);
    replace(native, ["iterate"], iterates);
  }
}

/** The text of a statement that is empty is none at all, and only the other text is looked at before it is read. */
function readEmptyStatements() {
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

function keepStoresSmall() {
  replace(DatabaseSync, ["createTagStore"], (create) =>
    function (capacity) {
      if (typeof capacity === "number" && !(capacity >= 0 && capacity <= MOST_STATEMENTS)) {
        throw new RangeError(`node:sqlite: a hook's tag store keeps ${MOST_STATEMENTS} statements at most`);
      }
      return ReflectApply(create, this, [capacity]);
    });
}

/** A message to a child is read in Rust, which takes for granted that nothing of it loops, throws, or runs code. */
function sendPlainMessages() {
  ops.op_node_ipc_write_json = (channel, message, ...others) => {
    const text = JSONStringify(message);
    const plain = text === undefined ? undefined : withoutCode(JSONParse(text), 0);
    return op_node_ipc_write_json(channel, plain, ...new SafeArrayIterator(others));
  };
}

/** The same value, with nothing in it that a hook may have put into all objects. */
function withoutCode(value, depth) {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST_MESSAGE) {
    throw new RangeError(`A message to a child may nest ${DEEPEST_MESSAGE} levels deep at most`);
  }
  if (!ArrayIsArray(value)) ObjectSetPrototypeOf(value, null);
  for (const key of new SafeArrayIterator(ObjectKeys(value))) withoutCode(value[key], depth + 1);
  return value;
}

/** To start a native parser again, in the middle of its work, takes away what that works with: another one starts then. */
function parserThatStartsOnce() {
  /** A connection that feeds a parser knows where it lies, and nothing else. */
  const feeding = new SafeWeakMap();

  return class {
    #native = new HTTPParser();
    #hasStarted = false;

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
    }
    unconsume() {
      this.#native.unconsume();
    }
  };
}
