//! What a chain decides, with scripted hooks in the place of JavaScript.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod audit;
mod decisions;
mod failures;
mod log;
mod observe;
mod order;
mod permit;
mod properties;
mod support;
