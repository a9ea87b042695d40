//! The service as a client sees it, over real connections.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod auth;
mod bad_input;
mod connections;
mod decisions;
mod document;
mod feed;
mod inspect;
mod jwt;
mod metrics;
mod reload;
mod shutdown;
mod support;
mod tls;
