//! The stores from outside: each answers alike, and none of them hangs, leaks or writes.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "tests")]

#[cfg(any(feature = "sqlite", all(unix, feature = "postgres")))]
mod anything;
mod conformance;
mod json;
#[cfg(all(unix, feature = "postgres"))]
mod postgres;
#[cfg(all(unix, feature = "postgres"))]
mod postgres_agrees;
#[cfg(all(unix, feature = "postgres"))]
mod postgres_tls;
#[cfg(all(unix, feature = "postgres"))]
mod server;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "sqlite")]
mod sqlite_agrees;
mod support;
