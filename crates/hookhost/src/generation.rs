//! The hooks of a host as they are between two reloads.

use std::sync::Arc;

use hookhost_chain::Chain;
use hookhost_contract::{Failure, FailureCause};
use hookhost_loader::{HookSource, LoadReport};
use hookhost_v8::{Instance, InstanceState};

use crate::HookHostError;
use crate::report::{HookState, HookStatus};
use crate::settings::Settings;

/// The hooks of a host as they are between two reloads. A decision sees one generation from its first hook to its last.
pub(crate) struct Generation {
    pub(crate) chain: Chain,
    /// Those that are called, in that order.
    pub(crate) hosted: Vec<Hosted>,
    pub(crate) not_called: Vec<(HookSource, HookState)>,
    pub(crate) load: LoadReport,
}

/// A hook that is called.
#[derive(Clone)]
pub(crate) struct Hosted {
    pub(crate) source: HookSource,
    pub(crate) instance: Arc<Instance>,
    /// Why it is not the one that is on disk now.
    pub(crate) outdated: Option<String>,
}

impl Generation {
    /// Puts started hooks, in the order in which they were loaded, into a chain.
    pub(crate) fn new(
        settings: &Settings,
        mut hosted: Vec<Hosted>,
        not_called: Vec<(HookSource, HookState)>,
        load: LoadReport,
    ) -> Result<Self, HookHostError> {
        let mut hooks = Vec::new();
        for Hosted { source, instance, .. } in &hosted {
            hooks.push(settings.chain_hook(source, instance)?);
        }
        let audit = (!settings.audit.is_empty()).then(|| Arc::new(settings.audit.clone()) as _);
        let chain = Chain::new(hooks, settings.env.clone(), audit);
        let place = |hosted: &Hosted| chain.hook_names().position(|name| name == hosted.source.name);
        hosted.sort_by_key(place);
        Ok(Self { chain, hosted, not_called, load })
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Hosted> {
        self.hosted.iter().find(|hosted| hosted.source.name == name)
    }

    pub(crate) fn statuses(&self) -> Vec<HookStatus> {
        let called = self.hosted.iter().map(|hosted| HookStatus {
            breaks: hosted.instance.breaks(),
            outdated: hosted.outdated.clone(),
            ..HookStatus::new(&hosted.source, hosted.state())
        });
        let others = self.not_called.iter().map(|(source, state)| HookStatus::new(source, state.clone()));
        called.chain(others).collect()
    }

    /// All are told first, so that they end side by side; dropping each then waits for it.
    pub(crate) fn close(&self) {
        for hosted in &self.hosted {
            hosted.instance.close();
        }
    }
}

impl Hosted {
    pub(crate) fn state(&self) -> HookState {
        match self.instance.state() {
            InstanceState::Loading => HookState::Loading,
            InstanceState::Ready => HookState::Ready,
            InstanceState::Restarting(failure) => HookState::Restarting { failure },
            InstanceState::Resting(failure) | InstanceState::Retrying(failure) | InstanceState::GivenUp(failure) => {
                HookState::Failing { failure }
            }
            InstanceState::Stuck => {
                exited("the hook runs on past its time limit, inside a built-in that cannot be ended")
            }
            _ => exited("the hook's instance has ended"),
        }
    }

    /// Why it cannot be called, if so.
    pub(crate) fn failure(&self) -> Option<Failure> {
        match self.state() {
            HookState::Failing { failure } => Some(failure),
            _ => None,
        }
    }
}

fn exited(message: &str) -> HookState {
    HookState::Failing { failure: Failure::new(FailureCause::Exited, message) }
}
