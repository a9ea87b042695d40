//! How much and how long one read may take.

use std::time::Duration;

/// How long a read may take, unless the store is told otherwise: 5 s, from the call to the answer.
pub const DEFAULT_READ_TIMEOUT: Duration = Duration::from_secs(5);

/// The most rows that one query gives: 10,000. More is an error, which asks for a narrower filter.
pub const MAX_ROWS: usize = 10_000;

/// The most bytes of JSON text that one read gives, over all its rows: 16 MiB. More is an error.
pub const MAX_BYTES: usize = 16 << 20;

/// The largest file that a [`JsonStore`](crate::JsonStore) reads, in bytes: 64 MiB.
pub const MAX_FILE_BYTES: u64 = 64 << 20;
