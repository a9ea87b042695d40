//! Looks at what V8 knows of its memory, after each full garbage collection.

use std::ffi::c_void;
use std::sync::Arc;

use deno_core::v8;

use super::Memory;

/// Watches over what the isolate holds outside its heap, and over what single giant allocations have put into the heap
/// beyond its limit: V8 lets those pass without asking.
///
/// `memory` has to outlive the isolate: its allocator, which V8 frees after it, holds the same one.
pub(crate) fn watch_collections(isolate: &mut v8::Isolate, memory: &Arc<Memory>) {
    let memory = Arc::as_ptr(memory).cast_mut().cast();
    isolate.add_gc_epilogue_callback(collected, memory, v8::GCType::kGCTypeMarkSweepCompact);
}

unsafe extern "C" fn collected(
    isolate: v8::UnsafeRawIsolatePtr,
    _type: v8::GCType,
    _flags: v8::GCCallbackFlags,
    memory: *mut c_void,
) {
    // SAFETY: V8 calls back with the isolate that has just collected, on its own thread.
    let mut isolate = unsafe { v8::Isolate::from_raw_isolate_ptr(isolate) };
    let statistics = isolate.get_heap_statistics();
    // SAFETY: the pointer that `watch_collections` gave, to what the isolate's allocator holds as long as it lives.
    let memory = unsafe { &*memory.cast::<Memory>() };
    // Array buffers are within the limit already; the rest of what V8 counts there is small.
    let slack = memory.limit / 4;
    if statistics.external_memory() > memory.limit + slack || statistics.used_heap_size() > memory.limit + slack {
        memory.exhausted();
    }
}
