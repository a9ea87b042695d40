//! Runs every hostile case, each as a test of its own: one that ends the process is named.

use std::path::Path;

use hookhost_tests::{Fault, HostileCase};

fn hostile(file: &Path) -> Result<(), Fault> {
    let case = HostileCase::read(file.parent().ok_or("case.json is in no folder")?)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(case.run())
}

datatest_stable::harness! {
    { test = hostile, root = "hostile", pattern = r"^[^/]+/case\.json$" },
}
