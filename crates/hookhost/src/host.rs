//! The host: one project's hooks, ready to decide.

use std::sync::Arc;

use hookhost_chain::Chain;
use hookhost_contract::{Call, Decision, Failure, FailureCause, Point, Sandbox};
use hookhost_loader::{HookSource, LoadReport};
use hookhost_v8::{Instance, InstanceState};

use crate::builder::HookHostBuilder;
use crate::report::{HookState, HookStatus, HostReport};
use crate::session::SessionBuilder;

/// One project's hooks, ready to decide. Share it in an `Arc`; calls from many tasks run side by side.
///
/// Dropping it ends the hooks, which takes some milliseconds.
pub struct HookHost {
    chain: Chain,
    hosted: Vec<Hosted>,
    disabled: Vec<HookSource>,
    load: LoadReport,
    sandbox: Sandbox,
}

/// A hook that is called.
pub(crate) struct Hosted {
    pub(crate) source: HookSource,
    pub(crate) instance: Arc<Instance>,
}

impl HookHost {
    /// Starts building a host.
    pub fn builder() -> HookHostBuilder {
        HookHostBuilder::new()
    }

    pub(crate) fn new(
        chain: Chain,
        mut hosted: Vec<Hosted>,
        disabled: Vec<HookSource>,
        load: LoadReport,
        sandbox: Sandbox,
    ) -> Self {
        let place = |hosted: &Hosted| chain.hook_names().position(|name| name == hosted.source.name);
        hosted.sort_by_key(place);
        Self { chain, hosted, disabled, load, sandbox }
    }

    /// Asks the hooks bound to the call's point, in order, and merges their answers.
    ///
    /// Never fails and never panics: a hook that fails is decided by its fail policy. Takes no longer than the hooks'
    /// time limits together; a hook that broke just before, and is being started again, gets two seconds on top. A call
    /// that names a hook ([`Call::only_hook`]) which is not loaded is blocked.
    ///
    /// Dropping the future gives the question up. A hook that has not been called is not called any more; one that waits for
    /// something is told through `ctx.signal`; code that still computes a quarter of a second later is ended, and the hook
    /// started again.
    pub async fn decide(&self, call: Call) -> Decision {
        self.chain.decide(call).await
    }

    /// The names of the hooks that are called, in that order.
    pub fn hook_names(&self) -> impl Iterator<Item = &str> {
        self.chain.hook_names()
    }

    /// Begins a conversation: a [`Session`](crate::Session) carries decisions out, turn by turn. Default settings are on the builder.
    pub fn session(self: &Arc<Self>) -> SessionBuilder {
        SessionBuilder::new(self.clone())
    }

    /// Whether a hook is bound to the point, observing ones included.
    pub fn has_hook_at(&self, point: &Point) -> bool {
        self.chain.hooks().iter().any(|hook| hook.points.contains(point))
    }

    /// What has been loaded, what each hook does now, and what was wrong on disk.
    pub fn report(&self) -> HostReport {
        let called = self.hosted.iter().map(|Hosted { source, instance }| HookStatus {
            breaks: instance.breaks(),
            ..HookStatus::new(source, state(instance))
        });
        let disabled = self.disabled.iter().map(|source| HookStatus::new(source, HookState::Disabled));
        HostReport { sandbox: self.sandbox, hooks: called.chain(disabled).collect(), load: self.load.clone() }
    }
}

fn state(instance: &Instance) -> HookState {
    match instance.state() {
        InstanceState::Loading => HookState::Loading,
        InstanceState::Ready => HookState::Ready,
        InstanceState::Restarting(failure) => HookState::Restarting { failure },
        InstanceState::Resting(failure) | InstanceState::Retrying(failure) | InstanceState::GivenUp(failure) => {
            HookState::Failing { failure }
        }
        InstanceState::Stuck => exited("the hook runs on past its time limit, inside a built-in that cannot be ended"),
        _ => exited("the hook's instance has ended"),
    }
}

fn exited(message: &str) -> HookState {
    HookState::Failing { failure: Failure::new(FailureCause::Exited, message) }
}

impl Drop for HookHost {
    fn drop(&mut self) {
        // All are told first, so that they end side by side; dropping each then waits for it.
        for hosted in &self.hosted {
            hosted.instance.close();
        }
    }
}
