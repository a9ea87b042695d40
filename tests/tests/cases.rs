//! Runs every case in `tests/cases` through the library, in each tier that it is about, each as a test of its own.

use std::process::ExitCode;

use hookhost::Tier;
use hookhost_tests::{Case, Fault, assert_decisions};
use libtest_mimic::{Arguments, Trial};

fn main() -> Result<ExitCode, Fault> {
    let mut trials = Vec::new();
    for case in Case::all()? {
        for tier in case.tiers() {
            let case = case.clone();
            trials.push(Trial::test(format!("{tier}::{}", case.name), move || Ok(library(&case, tier)?)));
        }
    }
    Ok(libtest_mimic::run(&Arguments::from_args(), trials).exit_code())
}

fn library(case: &Case, tier: Tier) -> Result<(), Fault> {
    let decisions: Result<Vec<_>, _> = case.decide(tier)?.iter().map(serde_json::to_string_pretty).collect();
    assert_decisions(case, &decisions?);
    Ok(())
}
