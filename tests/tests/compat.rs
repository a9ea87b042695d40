//! Runs every compat case in Node and in both tiers, each as a test of its own.

use std::path::Path;

use hookhost_tests::{CompatCase, Fault};

fn compat(file: &Path) -> Result<(), Fault> {
    CompatCase::read(file)?.run(Path::new(env!("CARGO_BIN_EXE_compat")))
}

datatest_stable::harness! {
    { test = compat, root = "compat", pattern = r"^[^/]+/calls\.json$" },
}
