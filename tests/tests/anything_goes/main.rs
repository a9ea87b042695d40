//! Whatever goes in and whatever a hook answers: the way from the facade through V8 and the chain and back.
//!
//! Each property has one host, whose hooks are in `tests/anything`, so that a case costs no more than a call. 256 cases
//! each; the variable `PROPTEST_CASES` asks for more.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod payloads;
mod program;
mod replies;
mod support;
