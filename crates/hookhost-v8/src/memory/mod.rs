//! What an isolate holds outside V8's heap, where the heap limit does not see it: it may be as much again as the heap.
//!
//! Plain array buffers come from an allocator that counts ([`buffers`]). What V8 only reports (resizable buffers, texts and
//! buffers that Deno's code fills) is looked at after each garbage collection ([`collections`]), and growing it makes V8
//! collect. The bytes of blobs lie in Deno's store ([`blobs`]). The memories of WebAssembly, which V8 does not even report,
//! are measured by `js/wasm_memory.js`.

mod blobs;
#[allow(unsafe_code, reason = "V8 takes an allocator as function pointers")]
mod buffers;
#[allow(unsafe_code, reason = "V8 calls back with a raw isolate")]
mod collections;
mod wasm_types;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use deno_core::v8;

pub(crate) use blobs::CountedBlobs;
pub(crate) use collections::watch_collections;
pub(crate) use wasm_types::admit_types;

use crate::turn::{Kill, Seat};

/// The budget of one isolate.
pub(crate) struct Memory {
    limit: usize,
    /// What is left to array buffers and blobs, in bytes.
    left: AtomicUsize,
    seat: Seat,
}

impl Memory {
    /// A budget of `limit` bytes for the isolate of the thread in that seat.
    pub(crate) fn new(limit: usize, seat: Seat) -> Arc<Self> {
        Arc::new(Self { limit, left: AtomicUsize::new(limit), seat })
    }

    /// The allocator of the isolate's array buffers. What is more than the budget is a `RangeError` of the hook.
    pub(crate) fn allocator(self: &Arc<Self>) -> v8::UniqueRef<v8::Allocator> {
        buffers::allocator(self.clone())
    }

    /// Takes `bytes` out of the budget. False if they are not there.
    fn take(&self, bytes: usize) -> bool {
        self.left.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }

    /// Something that is there already has grown by `bytes`, or is smaller. What is too much ends the hook.
    pub(crate) fn grown(&self, bytes: f64) {
        // Casts from a float saturate.
        if bytes < 0.0 {
            self.give_back((-bytes as usize).min(self.limit));
        } else if !self.take(bytes as usize) {
            self.exhausted();
        }
    }

    fn give_back(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Ends the turn that runs, from its own thread.
    fn exhausted(&self) {
        self.seat.kill_current(Kill::Memory);
    }
}
