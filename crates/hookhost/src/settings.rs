//! What a host is given, and how it starts a hook with it: when it is built, and when it is reloaded.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use hookhost_chain::{AuditSink, ChainHook, Permit};
use hookhost_contract::{Capability, JsonObject, Limits, Manifest, Sandbox, Store};
use hookhost_loader::{HookSource, LoadReport, Project};
use hookhost_v8::{CoverageSink, Engine, HookSpec, Instance, Permissions, Tier};

use crate::HookHostError;
use crate::instances::Running;
use crate::report::HookState;

/// What a host is given.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) store: Option<Arc<dyn Store>>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) limits: Limits,
    pub(crate) sandbox: Sandbox,
    pub(crate) tier: Tier,
    pub(crate) audit: Vec<Arc<dyn AuditSink>>,
    /// Whether a local hook that cannot be loaded from disk is an error.
    pub(crate) strict: bool,
    /// The hooks that are started. `None`: all.
    pub(crate) only: Option<BTreeSet<String>>,
    /// What is laid over the config of hooks.
    pub(crate) configs: BTreeMap<String, JsonObject>,
    pub(crate) coverage: Option<Arc<CoverageSink>>,
}

impl Settings {
    /// Reads a project from disk.
    pub(crate) fn load(&self, folder: &Path) -> Result<Project, HookHostError> {
        let project = hookhost_loader::load(folder)?;
        let errors: Vec<_> = project.report.strict_errors().cloned().collect();
        if self.strict && !errors.is_empty() {
            return Err(HookHostError::Strict(errors));
        }
        log_problems(&project.report);
        Ok(project)
    }

    /// The hooks of a project that are called, as they are started, and those that are not.
    pub(crate) fn choose(&self, project: &Project) -> (Vec<HookSource>, Vec<(HookSource, HookState)>) {
        let (mut called, mut not_called) = (Vec::new(), Vec::new());
        for hook in &project.hooks {
            let mut hook = hook.clone();
            if let Some(config) = self.configs.get(&hook.name) {
                hook.config.extend(config.clone());
            }
            if hook.disabled {
                not_called.push((hook, HookState::Disabled));
            } else if self.only.as_ref().is_some_and(|only| !only.contains(&hook.name)) {
                not_called.push((hook, HookState::Found));
            } else {
                called.push(hook);
            }
        }
        (called, not_called)
    }

    /// Starts an instance of a hook.
    pub(crate) fn spawn(&self, engine: &Engine, source: &HookSource) -> Result<Arc<Instance>, HookHostError> {
        let manifest = &source.manifest;
        let may_read = manifest.has(Capability::StoreRead);
        Ok(Arc::new(engine.spawn(HookSpec {
            name: source.name.clone(),
            folder: source.folder.clone(),
            handler: source.handler.clone(),
            config: source.config.clone(),
            store: self.store.clone().filter(|_| may_read),
            permissions: permissions(source, self.sandbox),
            process_env: match self.tier {
                Tier::Node => process_env(manifest, self.sandbox, &self.env),
                _ => BTreeMap::new(),
            },
            timeout: manifest.timeout().unwrap_or(self.limits.timeout),
            coverage: self.coverage.clone(),
        })?))
    }

    /// The hook's place in a chain.
    pub(crate) fn chain_hook(&self, source: &HookSource, instance: &Arc<Instance>) -> Result<ChainHook, HookHostError> {
        let running = Arc::new(Running(instance.clone()));
        let hook = ChainHook::new(&source.name, &source.manifest, source.rank, self.limits.timeout, running)?;
        Ok(ChainHook { permit: Permit::of(&source.manifest, self.sandbox), ..hook })
    }
}

/// Whether an instance of one would be an instance of the other: what differs is the chain's business alone.
pub(crate) fn starts_alike(one: &HookSource, other: &HookSource) -> bool {
    fn parts(source: &HookSource) -> impl PartialEq + '_ {
        let Manifest { capabilities, allow_net, timeout_ms, .. } = &source.manifest;
        (&source.folder, &source.handler, &source.config, &source.boundary, capabilities, allow_net, timeout_ms)
    }
    one.name == other.name && parts(one) == parts(other)
}

/// What a hook may reach.
fn permissions(source: &HookSource, sandbox: Sandbox) -> Permissions {
    match sandbox {
        Sandbox::Advisory => Permissions::everything(),
        // A sandbox that is not known here is none that opens everything.
        _ => Permissions::only_files_under(&source.boundary)
            .network(source.manifest.has(Capability::Network))
            .hosts(source.manifest.allow_net.clone())
            .env(source.manifest.has(Capability::Secrets)),
    }
}

/// What `process.env` holds at first, in the Node tier.
fn process_env(manifest: &Manifest, sandbox: Sandbox, exposed: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    match sandbox {
        Sandbox::Advisory => {
            let unicode =
                |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
            // Secrets of the service that hooks run in are none of theirs.
            // Names of the environment have no case on Windows.
            let is_ours = |(name, _): &(String, String)| {
                name.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("HOOKHOST_"))
            };
            let mut all: BTreeMap<_, _> =
                std::env::vars_os().filter_map(unicode).filter(|variable| !is_ours(variable)).collect();
            all.extend(exposed.clone());
            all
        }
        _ if manifest.has(Capability::Secrets) => exposed.clone(),
        _ => BTreeMap::new(),
    }
}

/// Whoever runs the host sees in its log what was left out, and why.
fn log_problems(report: &LoadReport) {
    for problem in report.warnings() {
        tracing::warn!(
            target: "hookhost::load",
            code = problem.code.as_str(),
            hook = problem.hook,
            // As fields, whose line ends are escaped: a folder's name may have some.
            file = problem.file.to_string_lossy().as_ref(),
            problem = problem.to_string(),
            "a problem on disk"
        );
    }
}
