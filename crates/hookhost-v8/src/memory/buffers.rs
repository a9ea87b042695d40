//! Counts the memory of a hook's array buffers. V8 hands over lengths and gets memory back, by function pointers.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use deno_core::v8::{Allocator, RustAllocatorVtable, UniqueRef, new_rust_allocator};

use super::Memory;

/// What V8 expects of `malloc`.
const ALIGNMENT: usize = 16;

/// An allocator that gives out what `memory` has left.
pub(crate) fn allocator(memory: Arc<Memory>) -> UniqueRef<Allocator> {
    static VTABLE: RustAllocatorVtable<Memory> =
        RustAllocatorVtable { allocate, allocate_uninitialized, free, drop: drop_memory };
    // SAFETY: the pointer comes from `Arc::into_raw` and stays valid until V8 calls `drop_memory` with it, once.
    unsafe { new_rust_allocator(Arc::into_raw(memory), &VTABLE) }
}

fn layout(length: usize) -> Option<Layout> {
    Layout::from_size_align(length.max(1), ALIGNMENT).ok()
}

/// Pays for `length` bytes and gets them.
fn pay(memory: &Memory, length: usize, get: impl FnOnce(Layout) -> *mut u8) -> *mut c_void {
    let Some(layout) = layout(length).filter(|_| memory.take(length)) else { return null_mut() };
    let got = get(layout);
    if got.is_null() {
        memory.give_back(length);
    }
    got.cast()
}

unsafe extern "C" fn allocate(memory: &Memory, length: usize) -> *mut c_void {
    // SAFETY: the layout has at least one byte.
    pay(memory, length, |layout| unsafe { alloc_zeroed(layout) })
}

unsafe extern "C" fn allocate_uninitialized(memory: &Memory, length: usize) -> *mut c_void {
    // SAFETY: the layout has at least one byte.
    pay(memory, length, |layout| unsafe { alloc(layout) })
}

unsafe extern "C" fn free(memory: &Memory, buffer: *mut c_void, length: usize) {
    let Some(layout) = layout(length) else { return };
    // SAFETY: V8 gives back what it got from the functions above, with the length that it asked for.
    unsafe { dealloc(buffer.cast(), layout) };
    memory.give_back(length);
}

unsafe extern "C" fn drop_memory(memory: *const Memory) {
    // SAFETY: the pointer that `allocator` made; V8 has no other use for it any more.
    drop(unsafe { Arc::from_raw(memory) });
}
