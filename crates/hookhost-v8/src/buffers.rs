//! Counts the memory of a hook's array buffers: V8 keeps it outside the heap, where the heap limit does not see it.
//!
//! The only unsafe code of the crate. V8 hands over lengths and gets memory back, by function pointers.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use deno_core::v8::{Allocator, RustAllocatorVtable, UniqueRef, new_rust_allocator};

/// What V8 expects of `malloc`.
const ALIGNMENT: usize = 16;

/// What is left to one isolate, in bytes.
struct Budget {
    left: AtomicUsize,
}

/// An allocator that gives out at most `bytes` at a time. What is more is a `RangeError` of the hook.
pub(crate) fn allocator(bytes: usize) -> UniqueRef<Allocator> {
    static VTABLE: RustAllocatorVtable<Budget> =
        RustAllocatorVtable { allocate, allocate_uninitialized, free, drop: drop_budget };
    let budget = Arc::new(Budget { left: AtomicUsize::new(bytes) });
    // SAFETY: the pointer comes from `Arc::into_raw` and stays valid until V8 calls `drop_budget` with it, once.
    unsafe { new_rust_allocator(Arc::into_raw(budget), &VTABLE) }
}

impl Budget {
    /// Takes `length` out of the budget. `None` if it is not there.
    fn take(&self, length: usize) -> Option<Layout> {
        let layout = Layout::from_size_align(length.max(1), ALIGNMENT).ok()?;
        self.left.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(length)).ok().map(|_| layout)
    }

    fn give_back(&self, length: usize) {
        self.left.fetch_add(length, Ordering::Relaxed);
    }

    fn taken(&self, length: usize, memory: *mut u8) -> *mut c_void {
        if memory.is_null() {
            self.give_back(length);
        }
        memory.cast()
    }
}

unsafe extern "C" fn allocate(budget: &Budget, length: usize) -> *mut c_void {
    let Some(layout) = budget.take(length) else { return null_mut() };
    // SAFETY: the layout has at least one byte.
    budget.taken(length, unsafe { alloc_zeroed(layout) })
}

unsafe extern "C" fn allocate_uninitialized(budget: &Budget, length: usize) -> *mut c_void {
    let Some(layout) = budget.take(length) else { return null_mut() };
    // SAFETY: the layout has at least one byte.
    budget.taken(length, unsafe { alloc(layout) })
}

unsafe extern "C" fn free(budget: &Budget, memory: *mut c_void, length: usize) {
    let Ok(layout) = Layout::from_size_align(length.max(1), ALIGNMENT) else { return };
    // SAFETY: V8 gives back what it got from the functions above, with the length that it asked for.
    unsafe { dealloc(memory.cast(), layout) };
    budget.give_back(length);
}

unsafe extern "C" fn drop_budget(budget: *const Budget) {
    // SAFETY: the pointer that `allocator` made; V8 has no other use for it any more.
    drop(unsafe { Arc::from_raw(budget) });
}
