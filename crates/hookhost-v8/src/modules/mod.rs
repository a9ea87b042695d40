//! Loads a hook's modules from disk.

mod fence;
mod loader;
mod node_modules;
mod parser;
mod typescript;

pub(crate) use loader::HookModules;
