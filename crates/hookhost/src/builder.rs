//! How a host is put together.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hookhost_chain::{AuditSink, Chain, ChainHook, Permit};
use hookhost_contract::{Capability, Limits, Manifest, Sandbox, Store};
use hookhost_loader::{HookSource, LoadReport, Project};
use hookhost_v8::{Engine, HookSpec, Instance, Permissions, Tier};

use crate::HookHostError;
use crate::host::{HookHost, Hosted};
use crate::instances::Running;

/// Builds a [`HookHost`]. Each setter gives its default.
#[must_use]
pub struct HookHostBuilder {
    project: PathBuf,
    strict: bool,
    store: Option<Arc<dyn Store>>,
    env: BTreeMap<String, String>,
    limits: Limits,
    sandbox: Sandbox,
    tier: Tier,
    audit: Option<Arc<dyn AuditSink>>,
}

impl HookHostBuilder {
    pub(crate) fn new() -> Self {
        Self {
            project: PathBuf::from("."),
            strict: false,
            store: None,
            env: BTreeMap::new(),
            limits: Limits::default(),
            sandbox: Sandbox::Advisory,
            tier: Tier::default(),
            audit: None,
        }
    }

    /// The project's folder, with `hooks/` and perhaps `amodal.json`. Default: the current folder.
    pub fn project(mut self, folder: impl AsRef<Path>) -> Self {
        self.project = folder.as_ref().to_owned();
        self
    }

    /// Refuse to build while a local hook cannot be loaded from disk. Default: it is skipped and reported.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// What `ctx.store` reads, for hooks with the capability `store:read`. Default: no store.
    pub fn store(mut self, store: impl Store) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// Exposes these variables of the process's environment in `ctx.env`, with their present values; those that are
    /// not set, or not Unicode, are left out. Adds to earlier ones. Default: none.
    pub fn env_names(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        for name in names {
            let name = name.into();
            if let Ok(value) = std::env::var(&name) {
                self.env.insert(name, value);
            }
        }
        self
    }

    /// Exposes a string in `ctx.env`, in place of an earlier one of that name. Default: none.
    pub fn env_var(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// What each hook may use. A manifest's `timeoutMs` wins over [`Limits::timeout`]. Default: [`Limits::default`].
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What the capabilities in a hook's manifest mean. Default: [`Sandbox::Advisory`], they state intent.
    ///
    /// With [`Sandbox::Enforced`], a hook gets `fetch` only with `network` and `ctx.env` only with `secrets`. In the Node tier
    /// the same goes for Node's modules and `process.env`; files are read in its package only, and nothing is written or
    /// started. Its modules
    /// are read from its package only: [`HookSource::boundary`], and what a package.json in there names as a dependency.
    /// A modify needs the point's `modifies_*`, a block or an ask about a tool `gates_tools`. What is refused is a failure
    /// of the hook, so its fail policy decides: a block that a hook with `failPolicy: "open"` may not say lets the call
    /// pass. `store` is not touched by this: it always needs `store:read`.
    ///
    /// It is no sandbox of the operating system: see `docs/design/sandbox.md`.
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.sandbox = sandbox;
        self
    }

    /// What hooks find around them. Default: [`Tier::Web`]. [`Tier::Node`] needs the cargo feature `node`. The hosts that
    /// a process has at one time have the same tier.
    ///
    /// In the Node tier, `process.env` begins with the process's environment and what is exposed in `ctx.env`; under
    /// [`Sandbox::Enforced`] with the latter only, and with nothing for a hook without `secrets`. Each hook has its own
    /// copy.
    pub fn tier(mut self, tier: Tier) -> Self {
        self.tier = tier;
        self
    }

    /// Where every answer that is not an allow, and every failure, is recorded. Default: only in `tracing`, with the
    /// target `hookhost::guardrail`.
    pub fn audit(mut self, sink: impl AuditSink + 'static) -> Self {
        self.audit = Some(Arc::new(sink));
        self
    }

    /// Loads the project and starts its hooks, all at once; ready when each has been loaded or has failed to, at the
    /// latest a second after the load limit.
    ///
    /// # Errors
    /// The project as a whole cannot be read, the operating system refuses a thread, or, in strict mode, a local hook
    /// cannot be loaded from disk.
    pub async fn build(self) -> Result<HookHost, HookHostError> {
        let Project { hooks, report, .. } = hookhost_loader::load(&self.project)?;
        if self.strict {
            let errors: Vec<_> = report.strict_errors().cloned().collect();
            if !errors.is_empty() {
                return Err(HookHostError::Strict(errors));
            }
        }
        log_problems(&report);

        let engine = Engine::start(self.tier, self.limits.clone())?;
        let (disabled, enabled): (Vec<_>, Vec<_>) = hooks.into_iter().partition(|hook| hook.disabled);
        let mut hosted = Vec::new();
        let mut chain = Vec::new();
        for source in enabled {
            let (instance, hook) = self.start(&engine, &source)?;
            hosted.push(Hosted { source, instance });
            chain.push(hook);
        }
        for Hosted { instance, .. } in &hosted {
            instance.loaded().await;
        }
        let chain = Chain::new(chain, self.env, self.audit);
        Ok(HookHost::new(chain, hosted, disabled, report, self.sandbox))
    }

    fn start(&self, engine: &Engine, source: &HookSource) -> Result<(Arc<Instance>, ChainHook), HookHostError> {
        let manifest = &source.manifest;
        let may_read = manifest.has(Capability::StoreRead);
        let instance = Arc::new(engine.spawn(HookSpec {
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
        })?);
        let running = Arc::new(Running(instance.clone()));
        let hook = ChainHook::new(&source.name, manifest, source.rank, self.limits.timeout, running)?;
        let hook = ChainHook { permit: Permit::of(manifest, self.sandbox), ..hook };
        Ok((instance, hook))
    }
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
            let mut all: BTreeMap<_, _> = std::env::vars_os().filter_map(unicode).collect();
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
