//! The library as a program embeds it. What hooks and chains do is in `tests/cases`; here is what only an embedder sees:
//! the builder, the report, many calls at once, and hosts that come and go.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod audit;
mod builder;
mod calls;
mod dropped_turns;
mod given_up;
mod lifecycle;
mod reload;
mod report;
mod sandbox;
mod support;
mod turns;
