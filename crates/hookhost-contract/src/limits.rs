//! The numbers that limit a hook.

use std::time::Duration;

/// The longest `timeoutMs` a manifest may ask for: one day.
pub const MAX_TIMEOUT_MS: u32 = 86_400_000;

/// What one hook may use. Each field's doc gives its default.
///
/// Which setting wins: a manifest's `timeoutMs` over [`Limits::timeout`]; the others come from the host alone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Wall-clock time of one call. Default 1500 ms.
    pub timeout: Duration,
    /// Wall-clock time of loading a hook: its module, its top-level await and its factory. Default 10 s.
    pub load_timeout: Duration,
    /// JavaScript heap of one hook, in bytes, and as much again for what it holds outside it: array buffers, WebAssembly
    /// memories, blobs. Default 128 MiB, at least 16 MiB.
    pub heap_bytes: usize,
    /// Size of one payload as JSON text, in bytes. A hook is not called with more, and has failed by that. Default 16 MiB.
    pub payload_bytes: usize,
    /// Size of one reply as JSON text, in bytes. Default 1 MiB, at least 64 bytes.
    pub reply_bytes: usize,
    /// Size of the log lines of one call, in bytes; what comes after is cut off and marked. Default 64 KiB.
    pub log_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_millis(1500),
            load_timeout: Duration::from_secs(10),
            heap_bytes: 128 << 20,
            payload_bytes: 16 << 20,
            reply_bytes: 1 << 20,
            log_bytes: 64 << 10,
        }
    }
}

impl Limits {
    /// Sets [`Limits::timeout`].
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets [`Limits::load_timeout`].
    pub fn load_timeout(mut self, load_timeout: Duration) -> Self {
        self.load_timeout = load_timeout;
        self
    }

    /// Sets [`Limits::heap_bytes`].
    pub fn heap_bytes(mut self, heap_bytes: usize) -> Self {
        self.heap_bytes = heap_bytes;
        self
    }

    /// Sets [`Limits::payload_bytes`].
    pub fn payload_bytes(mut self, payload_bytes: usize) -> Self {
        self.payload_bytes = payload_bytes;
        self
    }

    /// Sets [`Limits::reply_bytes`].
    pub fn reply_bytes(mut self, reply_bytes: usize) -> Self {
        self.reply_bytes = reply_bytes;
        self
    }

    /// Sets [`Limits::log_bytes`].
    pub fn log_bytes(mut self, log_bytes: usize) -> Self {
        self.log_bytes = log_bytes;
        self
    }
}
