//! Loads a hook's modules from disk.

pub(crate) mod fence;
pub(crate) mod loaded;
pub(crate) mod loader;
pub(crate) mod node_modules;
pub(crate) mod parser;
pub(crate) mod typescript;
