//! What a host has loaded, and what each hook does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hookhost_chain::call_order;
use hookhost_contract::{Capability, FailPolicy, Failure, Mode, Point, Sandbox};
use hookhost_loader::{HookSource, LoadReport, Origin, Project};
use serde::{Serialize, Serializer};

/// What a host has loaded.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HostReport {
    /// What the capabilities of its hooks mean.
    pub sandbox: Sandbox,
    /// Every hook that was found: first those that are called, in that order, then the others.
    pub hooks: Vec<HookStatus>,
    /// What was wrong on disk.
    pub load: LoadReport,
}

impl HostReport {
    /// What a host of this project would have loaded: nothing is started, no JavaScript runs.
    ///
    /// `sandbox` is what that host would be given.
    pub fn of_project(project: &Project, sandbox: Sandbox) -> Self {
        let (disabled, mut enabled): (Vec<&HookSource>, Vec<_>) = project.hooks.iter().partition(|hook| hook.disabled);
        enabled
            .sort_by(|one, other| call_order((one.rank, one.manifest.priority), (other.rank, other.manifest.priority)));
        let found = enabled.into_iter().map(|source| HookStatus::new(source, HookState::Found));
        let disabled = disabled.into_iter().map(|source| HookStatus::new(source, HookState::Disabled));
        Self { sandbox, hooks: found.chain(disabled).collect(), load: project.report.clone() }
    }
}

/// One hook of a host.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HookStatus {
    /// Its name.
    pub name: String,
    /// A short title, from the manifest.
    pub label: Option<String>,
    /// What it is for, from the manifest.
    pub description: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
    /// Its folder.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub folder: PathBuf,
    /// Where it is called.
    pub points: Vec<Point>,
    /// What it says it needs.
    pub capabilities: Vec<Capability>,
    /// Its place in the chain, ascending.
    pub priority: f64,
    /// What a failure means, at each of its points.
    pub fail_policy: BTreeMap<Point, FailPolicy>,
    /// Whether it decides or only watches.
    pub mode: Mode,
    /// What it does now.
    pub state: HookState,
    /// How often it broke, or could not be loaded, since it was first started: how often it was started again, or is to be.
    pub breaks: u64,
    /// Why an older version of it is running: what a reload found on disk cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outdated: Option<String>,
}

/// What a hook does now.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "is")]
#[non_exhaustive]
pub enum HookState {
    /// Switched off in `amodal.json`.
    Disabled,
    /// Found on disk; nothing has been started.
    Found,
    /// Being loaded.
    Loading,
    /// Can be called.
    Ready,
    /// Broke once, and is being started again. Calls wait for that, for two seconds at most.
    Restarting {
        /// Why it broke.
        failure: Failure,
    },
    /// Cannot be called: each call is decided by the fail policy, at once. It could not be loaded, broke repeatedly and
    /// rests, is being tried again after a rest, is stuck in a built-in that does not end, or has been given up.
    Failing {
        /// Why.
        failure: Failure,
    },
}

/// A path that is no Unicode is still shown.
fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

impl HookState {
    /// The state in one word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Found => "found",
            Self::Loading => "loading",
            Self::Ready => "ready",
            Self::Restarting { .. } => "restarting",
            Self::Failing { .. } => "failing",
        }
    }
}

impl HookStatus {
    /// The status of a hook on disk.
    pub(crate) fn new(source: &HookSource, state: HookState) -> Self {
        let manifest = &source.manifest;
        Self {
            name: source.name.clone(),
            label: manifest.label.clone(),
            description: manifest.description.clone(),
            origin: source.origin.clone(),
            folder: source.folder.clone(),
            points: manifest.points.clone(),
            capabilities: manifest.capabilities.clone(),
            priority: manifest.priority,
            fail_policy: manifest.points.iter().map(|point| (point.clone(), manifest.fail_policy_at(point))).collect(),
            mode: manifest.mode(),
            state,
            breaks: 0,
            outdated: None,
        }
    }
}
