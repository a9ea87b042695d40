// Deno's ops that are bounded from JavaScript, for Deno's own scripts that are loaded later.
//
// Where an op as a whole can be replaced, `ops.rs` does it. Here are those of which most should stay as it is.

import { core, primordials } from "ext:core/mod.js";

const {
  ArrayIsArray,
  ArrayPrototypeSlice,
  Error,
  MathMin,
  ObjectAssign,
  SafeArrayIterator,
  SafeSet,
  SetPrototypeAdd,
  SetPrototypeDelete,
} = primordials;
const { op_hookhost_guess_handle_type } = core.ops;

/** What `op_hookhost_guess_handle_type` says of a descriptor that is not the hook's. */
const UNKNOWN = 5;

/** The descriptors of pipes to children that no stream has taken over yet. */
const childPipes = new SafeSet();

/** Whether a pipe of Node may be made of this descriptor. */
export function takePipe(number) {
  return SetPrototypeDelete(childPipes, number);
}

/**
 * @param {object} ops those that Deno's scripts get when they are loaded
 * @param {number} mostBytes how much a hook may hold outside of its heap
 */
export function boundOps(ops, mostBytes) {
  const {
    op_node_scrypt_async,
    op_node_scrypt_sync,
    op_node_spawn_child,
    op_spawn_sync,
    op_vm_create_context,
    op_vm_create_context_without_contextify,
  } = ops;

  // The types of a WebAssembly module are counted where the main context compiles it, and only there.
  ops.op_vm_create_context = (object, name, origin, strings, _wasm, queue) =>
    op_vm_create_context(object, name, origin, strings, false, queue);
  ops.op_vm_create_context_without_contextify = (strings, _wasm, queue) =>
    op_vm_create_context_without_contextify(strings, false, queue);

  ops.op_spawn_sync = (args) => {
    try {
      return op_spawn_sync(ownStreams(args));
    } catch (error) {
      notStarted = error;
      throw error;
    }
  };
  ops.op_node_spawn_child = (args, name) => {
    const child = op_node_spawn_child(ownStreams(args), name);
    const extra = ArrayIsArray(child.extraPipeFds) ? child.extraPipeFds : [];
    for (const number of new SafeArrayIterator([child.stdinFd, child.stdoutFd, child.stderrFd, ...extra])) {
      if (typeof number === "number") SetPrototypeAdd(childPipes, number);
    }
    return child;
  };

  // Its memory is asked from the system.
  ops.op_node_scrypt_sync = (password, salt, length, cost, block, parallel, memory, buffer) =>
    op_node_scrypt_sync(password, salt, length, cost, block, parallel, MathMin(memory, mostBytes), buffer);
  ops.op_node_scrypt_async = (password, salt, length, cost, block, parallel, memory) =>
    op_node_scrypt_async(password, salt, length, cost, block, parallel, MathMin(memory, mostBytes));
}

/** Why the last program was not started. */
let notStarted;

/**
 * Deno's `spawnSync` keeps to itself why a program was not started, unless there is no such program. What it gives back looks
 * like a program that found nothing wrong then, and a guard would let the call pass.
 */
export function tellWhyNothingStarted(loading) {
  const { loadExtScript } = loading;
  let known;
  loading.loadExtScript = (name) => {
    const script = loadExtScript(name);
    if (name === "ext:deno_node/internal/child_process.ts" && known === undefined) {
      known = script;
      const { spawnSync } = script;
      script.default.spawnSync = script.spawnSync = (options) => {
        notStarted = undefined;
        const result = spawnSync(options);
        if (notStarted === undefined) return result;
        result.error ??= spawnError(options, notStarted);
        return ObjectAssign(result, { pid: 0, status: null, signal: null, output: null, stdout: null, stderr: null });
      };
    }
    return script;
  };
}

function spawnError({ file, args }, { name, message, code }) {
  code ??= name === "NotCapable" || name === "PermissionDenied" ? "EACCES" : "EIO";
  const why = name === "NotCapable" ? "the sandbox lets no hook start a process" : message;
  const error = new Error(`spawnSync ${file} ${code}: ${why}`);
  return ObjectAssign(error, { code, syscall: `spawnSync ${file}`, path: file, spawnargs: ArrayPrototypeSlice(args ?? [], 1) });
}

/** A child gets the hook's environment, no input but the hook's, and no descriptors but the hook's. */
function ownStreams(args) {
  const { stdin, stdout, stderr } = args;
  return {
    __proto__: null,
    ...args,
    clearEnv: true,
    stdin: stdin === "inherit" || stdin === 0 ? "null" : own(stdin),
    stdout: stdout === 1 || stdout === 2 ? "inherit" : own(stdout),
    stderr: stderr === 1 || stderr === 2 ? "inherit" : own(stderr),
  };
}

function own(stream) {
  if (typeof stream === "number" && op_hookhost_guess_handle_type(stream) === UNKNOWN) {
    const error = new Error(`EBADF: bad file descriptor, spawn: ${stream} is none of the hook's`);
    error.code = "EBADF";
    throw error;
  }
  return stream;
}
