//! The command, as a person or a script sees it: what it prints where, and its exit code.
//!
//! Take over a changed text with `INSTA_UPDATE=always cargo test --workspace --test cli`, and read the difference.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod authors;
mod broken_projects;
mod chat;
mod check;
mod completions;
mod fixtures;
mod help;
mod list;
mod pages;
mod run_input;
mod run_output;
mod serving;
mod streams;
mod support;
mod watching;
