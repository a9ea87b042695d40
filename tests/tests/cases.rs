//! Runs every case in `tests/cases` through the library.

use std::path::Path;

use hookhost_tests::{Case, Fault, assert_decisions};

fn library(call: &Path) -> Result<(), Fault> {
    let case = Case::read(call)?;
    let decisions: Result<Vec<_>, _> = case.decide()?.iter().map(serde_json::to_string_pretty).collect();
    assert_decisions(&case, &decisions?);
    Ok(())
}

datatest_stable::harness! {
    { test = library, root = "cases", pattern = r"call\.json$" },
}
