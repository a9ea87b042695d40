//! Counts of what was seen.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hookhost::{Action, Decision, FailureCause};

/// How many wrong decisions are told in full.
const TOLD: usize = 20;

/// What was seen so far. Every task adds to it.
#[derive(Default)]
pub(super) struct Tally {
    counts: Mutex<Counts>,
}

/// The counts.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Decisions that were made.
    pub calls: u64,
    /// How many of them had each action.
    pub actions: BTreeMap<Action, u64>,
    /// How many hooks failed, by cause.
    pub causes: BTreeMap<FailureCause, u64>,
    /// Calls that were not made since the hook had broken repeatedly and rested.
    pub resting: u64,
    /// Calls that were not made since the hook had been killed and its thread had not come to an end yet.
    pub stuck: u64,
    /// Good answers that came too late, of hooks with a short time limit.
    pub late: u64,
    /// Hosts that were built and dropped.
    pub hosts: u64,
    /// Decisions that were not right.
    pub wrong: u64,
    /// The first of those, in words.
    pub told: Vec<String>,
}

impl Tally {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The counts so far.
    pub(super) fn so_far(&self) -> Counts {
        self.counts().clone()
    }

    /// A decision was made.
    pub(super) fn decided(&self, decision: &Decision) {
        let mut counts = self.counts();
        counts.calls += 1;
        *counts.actions.entry(decision.action).or_default() += 1;
        for failure in decision.runs.iter().filter_map(|run| run.failure.as_ref()) {
            *counts.causes.entry(failure.cause).or_default() += 1;
        }
    }

    /// It was not right.
    pub(super) fn wrong(&self, what: String) {
        let mut counts = self.counts();
        counts.wrong += 1;
        if counts.told.len() < TOLD {
            counts.told.push(what);
        }
    }

    /// The hook rested.
    pub(super) fn rested(&self) {
        self.counts().resting += 1;
    }

    /// The hook was stuck.
    pub(super) fn stuck(&self) {
        self.counts().stuck += 1;
    }

    /// A good answer came too late.
    pub(super) fn late(&self) {
        self.counts().late += 1;
    }

    /// A host was built and dropped.
    pub(super) fn dropped_a_host(&self) {
        self.counts().hosts += 1;
    }
}
