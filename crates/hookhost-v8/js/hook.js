// Loads one hook and calls it: the JavaScript half of an instance.
//
// This is the only code between the host and a hook, so it trusts nothing of the hook's. It uses the built-ins as they
// were before the hook ran (`primordials`), reads each field of a reply once, and hands text across the boundary.

import { core, internals, primordials } from "ext:core/mod.js";
import { fixSharedMemory } from "ext:hookhost_hook/limited_globals.js";
import { countMemories, measureMemories } from "ext:hookhost_hook/wasm_memory.js";

const {
  ArrayIsArray,
  ArrayPrototypeIncludes,
  ArrayPrototypeJoin,
  ErrorPrototype,
  JSONParse,
  JSONStringify,
  MapPrototypeDelete,
  MapPrototypeGet,
  MapPrototypeSet,
  ObjectDefineProperty,
  ObjectHasOwn,
  ObjectKeys,
  ObjectPrototypeIsPrototypeOf,
  PromiseReject,
  RangeError,
  ReflectApply,
  ReflectGetOwnPropertyDescriptor,
  ReflectHas,
  SafeArrayIterator,
  SafeMap,
  StringPrototypeSlice,
  StringPrototypeValueOf,
  TypeError,
} = primordials;
// Not from the module `ext:core/ops`: a snapshot that was made without these ops has none of them there.
const {
  op_hookhost_fail,
  op_hookhost_invalid,
  op_hookhost_log,
  op_hookhost_reply,
  op_hookhost_stay,
  op_hookhost_store_get,
  op_hookhost_store_query,
} = core.ops;

const { AbortController } = core.loadExtScript("ext:deno_web/03_abort_signal.js");
const { DOMException } = core.loadExtScript("ext:deno_web/01_dom_exception.js");
const { Console, inspect, setNoColorFns } = core.loadExtScript("ext:deno_web/01_console.js");
const { reportException, saveGlobalThisReference } = core.loadExtScript("ext:deno_web/02_event.js");
const { setTimeOrigin } = core.loadExtScript("ext:deno_web/15_performance.js");

// As they are before a hook may replace them.
const { abort: abortOf } = AbortController.prototype;
const signalOf = ReflectGetOwnPropertyDescriptor(AbortController.prototype, "signal").get;

/** Which call the running code belongs to, across awaits and timers. */
const currentCall = new core.AsyncVariable();

/** What is known of each call that is under way: { controller, over }. `over` says why it need not go on, if so. */
const calls = new SafeMap();

const TIME_IS_UP = { message: "the hook's time is up", name: "TimeoutError" };
const GIVEN_UP = { message: "the call was given up", name: "AbortError" };

/** The longest text that is kept beside an action that stops a call, in characters. */
const LONGEST_TERM = 16384;

/** The longest list that is read beside an action that stops a call. */
const LONGEST_LIST = 1024;

/** The longest name of a store, and the longest key in one, in characters. */
const LONGEST_NAME = 65536;

/** The longest filter of a query, as JSON, in characters. */
const LONGEST_FILTER = 1048576;

/** What the host sent to `start`. */
let settings;

/** The hook object and its `run`, once loaded. */
let hook;
let run;

/**
 * Keeps the event loop going while answers are awaited. A timer that was told not to (`unref`) does not, and an answer
 * may wait for it.
 */
let stay;
let awaited = 0;

/**
 * Takes what the host knows, removes what a hook must not see, and installs the console.
 * @param {string} settingsText
 */
function start(settingsText) {
  settings = JSONParse(settingsText);

  fixSharedMemory();
  countMemories();
  setTimeOrigin();
  // The log is no terminal.
  setNoColorFns(() => true, () => true);
  ObjectDefineProperty(globalThis, "console", {
    __proto__: null,
    value: new Console((text) => {
      log(currentCall.get() ?? 0, withoutLineEnd(text));
    }),
    writable: true,
    configurable: true,
    enumerable: false,
  });

  // A promise that nobody waits for was rejected, or a timer's callback threw. Node would end the process; here it is
  // a line in the log of the call that it belongs to, where that is known.
  core.setUnhandledPromiseRejectionHandler((promise, reason) => {
    if (!handledByProcess(promise, reason)) log(currentCall.get() ?? 0, `unhandled rejection: ${show(reason)}`);
    return true;
  });
  core.setReportExceptionCallback(reportException);
  // A listener of an event threw. Deno's script dispatches that as an event of the page, and ends the program unless
  // somebody there has handled it; this is the somebody.
  const { dispatchEvent } = globalThis;
  saveGlobalThisReference({
    __proto__: null,
    dispatchEvent(event) {
      // Where there is a page, it is what `process.on('uncaughtException')` listens to.
      if (dispatchEvent === undefined || ReflectApply(dispatchEvent, globalThis, [event])) uncaught(event.error);
      return false;
    },
  });

  // The script that defines it is part of the snapshot, which all hooks share.
  if (!settings.mayFetch && ObjectHasOwn(globalThis, "fetch")) {
    ObjectDefineProperty(globalThis, "fetch", { __proto__: null, value: refuseFetch });
  }
}

/** Tells the listeners of Node's `process` of a rejection, where there are a process and listeners. */
function handledByProcess(promise, reason) {
  const tell = internals.nodeProcessUnhandledRejectionCallback;
  if (tell === undefined) return false;
  let handled = false;
  tell({
    __proto__: null,
    promise,
    reason,
    preventDefault() {
      handled = true;
    },
  });
  return handled;
}

/** A text that the hook has printed, for the log. */
export function printed(text) {
  if (text !== "" && text !== "\n") log(currentCall.get() ?? 0, withoutLineEnd(text));
}

function refuseFetch() {
  return PromiseReject(new TypeError(missingCapability("fetch", "network")));
}

function missingCapability(what, capability) {
  return `${what} needs the capability \`${capability}\`: add it to \`capabilities\` in hook.json`;
}

function uncaught(error) {
  log(currentCall.get() ?? 0, `uncaught error: ${show(error)}`);
}

/**
 * Finds the hook among a module's exports and keeps its `run`.
 * @param {object} module the namespace of the handler
 * @param {string} configText
 */
async function load(module, configText) {
  const config = () => parse(configText);
  const found = module.createHook !== undefined
    ? await fromFactory(module.createHook, config)
    : module.default !== undefined
    ? await fromDefault(module.default, config)
    : null;
  if (found === null) {
    const names = ArrayPrototypeJoin(ObjectKeys(module), ", ");
    throw new TypeError(
      `the module exports no hook: export a function createHook(config), or a default (${
        names === "" ? "it exports nothing" : `it exports ${names}`
      })`,
    );
  }
  ({ hook, run } = found);
  stay = op_hookhost_stay();
  core.unrefOpPromise(stay);
}

/** `createHook`: a factory, or the hook object itself. */
async function fromFactory(exported, config) {
  const object = asHook(exported);
  if (object !== null) return object;
  if (typeof exported !== "function") throw noHook("createHook is", exported, "export");
  const made = await exported(config());
  const found = asHook(made) ?? asRun(made);
  if (found === null) throw noHook("createHook returned", made, "return");
  return found;
}

/** The default export: a factory, a hook object, `run` itself, or what a CommonJS module exports. */
async function fromDefault(exported, config) {
  const object = asHook(exported);
  if (object !== null) return object;
  if (typeof exported === "object" && exported !== null) {
    // Whoever imports CommonJS sees its exports as the default, and names only where its text tells them.
    if (exported.createHook !== undefined) return await fromFactory(exported.createHook, config);
    if (exported.__esModule === true && exported.default !== undefined) return await fromDefault(exported.default, config);
  }
  if (typeof exported !== "function") throw noHook("the default export is", exported, "export");
  // Two declared parameters can only be (point, payload).
  if (exported.length >= 2) return asRun(exported);
  const made = await exported(config());
  // Nothing usable came back: it was no factory, it was `run`, and has been called once with a config.
  return asHook(made) ?? asRun(made) ?? asRun(exported);
}

function noHook(what, value, advice) {
  const found = typeof value === "object" && value !== null ? "an object without a run function" : kind(value);
  return new TypeError(`${what} ${found}: ${advice} a function, or an object with a run function`);
}

function asHook(value) {
  if (value === null || typeof value !== "object" && typeof value !== "function") return null;
  const run = value.run;
  return typeof run === "function" ? { hook: value, run } : null;
}

function asRun(value) {
  return typeof value === "function" ? { hook: undefined, run: value } : null;
}

/**
 * Calls `run` once. The answer goes back through an op, now or when a promise settles.
 * @param {number} call names the call
 * @param {string} point
 * @param {string} payloadText
 * @param {string} contextText
 */
function invoke(call, point, payloadText, contextText) {
  const state = { controller: null, over: null };
  MapPrototypeSet(calls, call, state);
  const outer = currentCall.enter(call);
  try {
    measureMemories();
    const context = makeContext(call, state, parse(contextText));
    const answer = ReflectApply(run, hook, [point, parse(payloadText), context]);
    let thenable;
    try {
      thenable = isThenable(answer);
    } catch (error) {
      // What cannot be waited for may still say that the call stops.
      if (!stopped(call, answer)) unreadable(call, error);
      return;
    }
    if (thenable) {
      settle(call, point, answer);
    } else {
      reply(call, point, answer);
    }
  } catch (error) {
    fail(call, error, false);
  } finally {
    core.setAsyncContext(outer);
  }
}

/** Reads what `to_javascript.rs` has written: JSON, or lists in the place of arrays and objects. */
function parse(text) {
  return text[0] === "!" ? fromLists(JSONParse(StringPrototypeSlice(text, 1))) : JSONParse(text);
}

function fromLists(value) {
  if (value === null || typeof value !== "object") return value;
  if (value[0] === 0) {
    const array = [];
    for (let index = 1; index < value.length; index++) put(array, index - 1, fromLists(value[index]));
    return array;
  }
  const object = {};
  for (let index = 1; index < value.length; index += 2) {
    put(object, value[index], fromLists(value[index + 1]));
  }
  return object;
}

/** An assignment, but that it asks no prototype whether there is a setter. */
function put(object, key, value) {
  ObjectDefineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

function isThenable(answer) {
  return answer !== null && (typeof answer === "object" || typeof answer === "function") &&
    typeof answer.then === "function";
}

async function settle(call, point, promise) {
  let answer;
  awaited++;
  core.refOpPromise(stay);
  try {
    answer = await promise;
  } catch (error) {
    fail(call, error, true);
    return;
  } finally {
    awaited--;
    if (awaited === 0) core.unrefOpPromise(stay);
  }
  reply(call, point, answer);
}

function fail(call, error, rejected) {
  MapPrototypeDelete(calls, call);
  measureMemories();
  op_hookhost_fail(call, error, rejected, isError(error) ? "" : cut(show(error)));
}

/** True for what carries a message and a place of its own. */
function isError(value) {
  try {
    return ObjectPrototypeIsPrototypeOf(ErrorPrototype, value);
  } catch {
    return false;
  }
}

/** Hands the answer over as text: its known fields, each read once, and nothing else of it. */
function reply(call, point, answer) {
  MapPrototypeDelete(calls, call);
  measureMemories();
  if (answer === null || typeof answer !== "object" || isArray(answer)) {
    op_hookhost_invalid(call, `run returned ${kind(answer)}: return an object such as { action: 'allow' }`);
    return;
  }
  let text;
  try {
    const action = word(answer.action);
    if (isStop(action)) {
      op_hookhost_reply(call, stopText(action, answer));
      return;
    }
    if (action !== undefined && action !== null && typeof action !== "string") {
      // Not for JSON to decide: a toJSON might make it an allow.
      op_hookhost_invalid(
        call,
        `the reply's \`action\` is ${kind(action)}: write one of 'allow', 'block', 'modify', 'ask'`,
      );
      return;
    }
    const fields = { __proto__: null };
    for (const name of new SafeArrayIterator(settings.replyFields)) {
      const value = name === "action" ? action : answer[name];
      if (value !== undefined) fields[name] = value;
    }
    text = JSONStringify(fields);
    if (text.length > settings.replyLimit) {
      op_hookhost_invalid(call, `the reply is larger than the limit of ${settings.replyLimit} bytes`);
      return;
    }
    const lost = lostRewrite(point, fields, text);
    if (lost !== "") {
      op_hookhost_invalid(call, lost);
      return;
    }
  } catch (error) {
    unreadable(call, error);
    return;
  }
  op_hookhost_reply(call, text);
}

/**
 * The word that an action is: a text, or an object of class String. A toJSON of another object is heard only if it stops
 * the call: the words are exact.
 */
function word(action) {
  if (core.isStringObject(action)) return StringPrototypeValueOf(action);
  if (action === null || typeof action !== "object" && typeof action !== "function") return action;
  try {
    const toJSON = action.toJSON;
    if (typeof toJSON !== "function") return action;
    const made = ReflectApply(toJSON, action, ["action"]);
    const said = core.isStringObject(made) ? StringPrototypeValueOf(made) : made;
    return isStop(said) ? said : action;
  } catch {
    return action;
  }
}

function isStop(action) {
  return ArrayPrototypeIncludes(settings.stopWords, action);
}

/** Answers with a stop, if that is what can be read of an answer that is broken otherwise. */
function stopped(call, answer) {
  if (answer === null || typeof answer !== "object" || isArray(answer)) return false;
  let action;
  try {
    action = word(answer.action);
  } catch {
    return false;
  }
  if (!isStop(action)) return false;
  MapPrototypeDelete(calls, call);
  measureMemories();
  op_hookhost_reply(call, stopText(action, answer));
  return true;
}

/**
 * A reply that stops a call, as JSON. Whatever the limit, and whatever it says beside the action, that much arrives: a
 * stop must not fail because a guard quoted too much of what it stopped.
 *
 * Beside the action, it has texts, cut where they are long, lists of texts, numbers and yes or no. The rest is left out,
 * and so is what throws when it is read. Only those are made into JSON, one by one: a list or an object would be asked
 * for a toJSON, which libraries have put into the prototype of all.
 */
function stopText(action, answer) {
  const begun = `{"action":${JSONStringify(action)}`;
  let text = begun;
  for (const name of new SafeArrayIterator(settings.replyFields)) {
    if (name === "action" || name === "payload" || name === "data") continue;
    try {
      const term = termText(answer[name]);
      if (term !== "") text += `,${JSONStringify(name)}:${term}`;
    } catch {
      // The action stands without it.
    }
  }
  return core.byteLength(text) < settings.replyLimit ? `${text}}` : `${begun}}`;
}

/** The JSON of what may stand beside a stop, or "". */
function termText(value) {
  switch (typeof value) {
    case "string":
      return JSONStringify(cut(value));
    case "number":
    case "boolean":
      return JSONStringify(value);
    case "object":
      if (core.isStringObject(value)) return JSONStringify(cut(StringPrototypeValueOf(value)));
      return isArray(value) ? listText(value) : "";
    default:
      return "";
  }
}

/** The texts of a list, as long as together they are no longer than one text may be. */
function listText(list) {
  let text = "";
  let left = LONGEST_TERM;
  for (let index = 0; index < list.length && index < LONGEST_LIST; index++) {
    const item = list[index];
    if (typeof item !== "string") continue;
    left -= item.length;
    if (left < 0) break;
    text += `${text === "" ? "" : ","}${JSONStringify(item)}`;
  }
  return `[${text}]`;
}

function cut(text) {
  return text.length > LONGEST_TERM ? `${StringPrototypeSlice(text, 0, LONGEST_TERM)}...` : text;
}

/**
 * JSON leaves out what it cannot carry, and a rewrite that got lost that way would pass as none: what a redactor meant
 * to take out would stay in.
 */
function lostRewrite(point, fields, text) {
  if (fields.action !== "modify") return "";
  const key = fields.payload !== undefined ? "payload" : "data";
  const meant = fields[key];
  if (meant === null || typeof meant !== "object") return "";
  const emptied = emptiedByJson(meant);
  if (emptied !== "") return `the reply is a modify, but its \`${key}\` is ${emptied}: return a plain object`;
  const field = settings.mutableFields[point];
  if (field === undefined || !ReflectHas(meant, field)) return "";
  const emptiedField = emptiedByJson(meant[field]);
  if (emptiedField !== "") return `the reply is a modify, but its \`${key}.${field}\` is ${emptiedField}`;
  const all = JSONParse(text);
  const carried = ObjectHasOwn(all, key) ? all[key] : null;
  if (carried !== null && typeof carried === "object" && ObjectHasOwn(carried, field)) return "";
  return `the reply is a modify, but its \`${key}.${field}\` is ${kind(meant[field])}, which JSON cannot carry`;
}

/** What JSON writes as `{}` although it holds something, in words. */
function emptiedByJson(value) {
  if (core.isMap(value)) return "a Map";
  if (core.isSet(value)) return "a Set";
  return core.isPromise(value) ? "a promise that was not awaited" : "";
}

function unreadable(call, error) {
  MapPrototypeDelete(calls, call);
  measureMemories();
  op_hookhost_invalid(call, `the reply cannot be read as JSON: ${summary(error)}`);
}

/** The deadline has passed, or nobody waits any more: what still runs for this call is told to stop. */
function expire(call, givenUp) {
  const state = MapPrototypeGet(calls, call);
  if (state === undefined) return;
  MapPrototypeDelete(calls, call);
  state.over = givenUp ? GIVEN_UP : TIME_IS_UP;
  measureMemories();
  if (state.controller !== null) abort(state);
}

function abort({ controller, over }) {
  ReflectApply(abortOf, controller, [new DOMException(over.message, over.name)]);
}

/** Adds the functions to the data that the host sent. */
function makeContext(call, state, context) {
  put(context, "hookName", settings.hookName);
  put(context, "log", (...values) => {
    let line = "";
    for (let index = 0; index < values.length; index++) line += `${index === 0 ? "" : " "}${show(values[index])}`;
    log(call, line);
  });
  if (settings.hasStore) {
    put(context, "store", {
      get: async (store, key) => parse(await op_hookhost_store_get(name(store, "store"), name(key, "key"))),
      query: async (store, filter = undefined) =>
        parse(await op_hookhost_store_query(name(store, "store"), filterText(filter))),
    });
  }
  if (!settings.mayReadEnv) {
    // Not enumerable: who copies or prints ctx has not asked for it.
    ObjectDefineProperty(context, "env", {
      __proto__: null,
      get() {
        throw new TypeError(missingCapability("ctx.env", "secrets"));
      },
      enumerable: false,
      configurable: true,
    });
  }
  // Made when first asked for: most hooks never look.
  ObjectDefineProperty(context, "signal", {
    __proto__: null,
    get() {
      if (state.controller === null) {
        state.controller = new AbortController();
        if (state.over !== null) abort(state);
      }
      return ReflectApply(signalOf, state.controller, []);
    },
    enumerable: true,
    configurable: true,
  });
  return context;
}

/** A line is cut here already, so that a giant one is never copied. */
function log(call, text) {
  op_hookhost_log(call, text.length > settings.logLimit ? StringPrototypeSlice(text, 0, settings.logLimit + 1) : text);
}

function name(value, what) {
  if (typeof value !== "string") throw new TypeError(`ctx.store: the ${what} is ${kind(value)}: pass a string`);
  if (value.length > LONGEST_NAME) {
    throw new RangeError(
      `ctx.store: the ${what} has ${value.length} characters, and the limit is ${LONGEST_NAME}: pass a shorter one`,
    );
  }
  return value;
}

function filterText(filter) {
  if (filter === undefined) return "{}";
  const text = JSONStringify(filter);
  if (text === undefined || text[0] !== "{") {
    throw new TypeError(`ctx.store.query: the filter is ${kind(filter)}: pass an object such as { role: 'admin' }`);
  }
  if (text.length > LONGEST_FILTER) {
    throw new RangeError(
      `ctx.store.query: the filter has ${text.length} characters as JSON, and the limit is ${LONGEST_FILTER}: ` +
        "compare with less, and choose among the rows yourself",
    );
  }
  return text;
}

/** Any value as a line of the log. */
function show(value) {
  if (typeof value === "string") return value;
  try {
    return inspect(value, { colors: false });
  } catch {
    return "[a value that cannot be shown]";
  }
}

function summary(error) {
  try {
    return cut(isError(error) ? `${error.name}: ${error.message}` : `a getter threw ${show(error)}`);
  } catch {
    return "a getter threw";
  }
}

function withoutLineEnd(text) {
  return text[text.length - 1] === "\n" ? StringPrototypeSlice(text, 0, -1) : text;
}

/** What a value is, in words. */
function kind(value) {
  if (value === undefined) return "undefined";
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return "a boolean";
    case "number":
      return "a number";
    case "bigint":
      return "a BigInt";
    case "string":
      return "a string";
    case "symbol":
      return "a symbol";
    case "function":
      return "a function";
    default:
      return isArray(value) ? "an array" : "an object";
  }
}

function isArray(value) {
  try {
    return ArrayIsArray(value);
  } catch {
    // A Proxy that was revoked. Whatever is read of it throws.
    return false;
  }
}

// Taken and removed by the host before the hook's module is loaded.
globalThis.__hookhost = { start, load, invoke, expire };
