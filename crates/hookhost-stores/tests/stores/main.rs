//! The stores from outside: each answers alike, and none of them hangs, leaks or writes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[cfg(feature = "sqlite")]
mod anything;
mod conformance;
mod json;
#[cfg(all(unix, feature = "postgres"))]
mod postgres;
#[cfg(all(unix, feature = "postgres"))]
mod postgres_tls;
#[cfg(all(unix, feature = "postgres"))]
mod server;
#[cfg(feature = "sqlite")]
mod sqlite;
mod support;
