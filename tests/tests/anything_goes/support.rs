//! A host, and a property that is checked on it.

use std::fmt::Debug;
use std::path::Path;
use std::time::Duration;

use hookhost::{Call, Decision, HookHost};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use tokio::runtime::Runtime;

/// Far more than any case needs: a hook's own limit is 20 s.
const HANGS: Duration = Duration::from_secs(90);

/// A host of the hooks in `tests/anything`.
pub(crate) struct Host {
    runtime: Runtime,
    host: HookHost,
}

impl Host {
    pub(crate) fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("anything");
        let host = runtime.block_on(HookHost::builder().project(project).strict(true).build()).unwrap();
        Self { runtime, host }
    }

    pub(crate) fn decide(&self, call: Call) -> Decision {
        let decision = self.runtime.block_on(async { tokio::time::timeout(HANGS, self.host.decide(call)).await });
        decision.expect("a decision, whatever the hook does")
    }
}

/// Checks a property on one host.
pub(crate) fn check<S: Strategy<Value: Debug>>(
    cases: &S,
    holds: impl Fn(&Host, S::Value) -> Result<(), TestCaseError>,
) {
    let host = Host::new();
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    if let Err(error) = runner.run(cases, |case| holds(&host, case)) {
        panic!("{error}");
    }
}
