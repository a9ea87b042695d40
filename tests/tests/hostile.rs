//! Runs every hostile case in each tier that it is about, each as a test of its own: one that ends the process is named.

use std::process::ExitCode;

use hookhost_tests::{Fault, HostileCase};
use libtest_mimic::{Arguments, Trial};

fn main() -> Result<ExitCode, Fault> {
    let mut trials = Vec::new();
    for case in HostileCase::all()? {
        for tier in case.tiers() {
            let case = case.clone();
            trials.push(Trial::test(format!("{tier}::{}", case.name), move || Ok(case.run_alone(tier)?)));
        }
    }
    Ok(libtest_mimic::run(&Arguments::from_args(), trials).exit_code())
}
