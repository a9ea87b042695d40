// How many types WebAssembly modules may have.
//
// V8 keeps the types of all modules of the process in one table, for good, and gives up when that is full: under a lock
// that every isolate needs. So the types of each hook have a limit, which the host keeps.

import { core, primordials } from "ext:core/mod.js";

const {
  ArrayBufferIsView,
  DataViewPrototypeGetBuffer,
  DataViewPrototypeGetByteLength,
  DataViewPrototypeGetByteOffset,
  RangeError,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeGetByteOffset,
  TypedArrayPrototypeGetSymbolToStringTag,
  Uint8Array,
} = primordials;
const { op_hookhost_wasm_types } = core.ops;

/** `\0asm`, and the version. */
const HEADER_BYTES = 8;
const TYPE_SECTION = 1;

/** A copy of a module's bytes, within the limit: nobody changes a copy after it was looked at. Else what came. */
export function admitted(source) {
  const bytes = copyOf(source);
  if (bytes === null) return source;
  const { length } = bytes;
  let at = HEADER_BYTES;
  while (at < length) {
    const id = bytes[at++];
    let size = 0;
    for (let shift = 0; at < length && shift < 35; shift += 7) {
      const byte = bytes[at++];
      size += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    if (id === TYPE_SECTION) {
      const end = at + size < length ? at + size : length;
      if (!op_hookhost_wasm_types(new Uint8Array(bytes.buffer, at, end - at))) {
        throw new RangeError("the WebAssembly modules of this hook have too many types");
      }
    }
    at += size;
  }
  return bytes;
}

function copyOf(source) {
  if (core.isArrayBuffer(source) || core.isSharedArrayBuffer(source)) return new Uint8Array(new Uint8Array(source));
  if (!ArrayBufferIsView(source)) return null;
  const view = TypedArrayPrototypeGetSymbolToStringTag(source) === undefined
    ? new Uint8Array(
      DataViewPrototypeGetBuffer(source),
      DataViewPrototypeGetByteOffset(source),
      DataViewPrototypeGetByteLength(source),
    )
    : new Uint8Array(
      TypedArrayPrototypeGetBuffer(source),
      TypedArrayPrototypeGetByteOffset(source),
      TypedArrayPrototypeGetByteLength(source),
    );
  return new Uint8Array(view);
}
