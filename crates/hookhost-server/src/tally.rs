//! What each hook has answered since the service was started.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use hookhost::{Action, Decision, FailureCause, HookRun};
use schemars::JsonSchema;
use serde::Serialize;

/// What a hook has answered since the service was started, in calls of `/v1/decide`; tests do not count.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HookCounters {
    /// How often it was called.
    pub(crate) calls: u64,
    /// How often it answered what.
    pub(crate) actions: BTreeMap<Action, u64>,
    /// How often it failed, and how.
    pub(crate) failures: BTreeMap<FailureCause, u64>,
    /// The mean time of a call, in milliseconds.
    pub(crate) mean_ms: f64,
    /// The longest time of a call, in milliseconds.
    pub(crate) max_ms: f64,
}

impl HookCounters {
    fn add(&mut self, run: &HookRun) {
        self.calls += 1;
        *self.actions.entry(run.action).or_default() += 1;
        if let Some(failure) = &run.failure {
            *self.failures.entry(failure.cause).or_default() += 1;
        }
        self.mean_ms += (run.duration_ms - self.mean_ms) / self.calls as f64;
        self.max_ms = self.max_ms.max(run.duration_ms);
    }
}

/// The counters of all hooks.
#[derive(Default)]
pub(crate) struct Tally {
    hooks: Mutex<BTreeMap<String, HookCounters>>,
}

impl Tally {
    pub(crate) fn add(&self, decision: &Decision) {
        let mut hooks = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        for run in &decision.runs {
            match hooks.get_mut(&run.hook) {
                Some(counters) => counters.add(run),
                None => hooks.entry(run.hook.clone()).or_default().add(run),
            }
        }
    }

    pub(crate) fn of(&self, hook: &str) -> HookCounters {
        self.hooks.lock().unwrap_or_else(PoisonError::into_inner).get(hook).cloned().unwrap_or_default()
    }
}
