//! Loads whole projects from disk and looks at what comes back: hooks, report and errors.

// Says to the lints that all of this is test code, helpers included.
#![cfg(test)]

#[cfg(test)]
mod support;

mod folders;
mod fuzzed;
mod manifests;
mod never_panics;
mod packages;
mod policy;
mod settings;
