//! The engine, by running hooks in it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod calls;
mod coverage;
mod exports;
mod limits;
mod memory;
mod modules;
#[cfg(feature = "node")]
mod node_coverage;
#[cfg(feature = "node")]
mod node_errors;
#[cfg(feature = "node")]
mod node_modules;
#[cfg(feature = "node")]
mod node_sandbox;
mod observed;
mod restarts;
mod sandbox;
mod support;
mod web;
