//! The engine, by running hooks in it.

mod calls;
mod exports;
mod limits;
mod modules;
mod support;
mod web;
