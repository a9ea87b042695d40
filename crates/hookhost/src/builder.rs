//! How a host is put together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hookhost_chain::AuditSink;
use hookhost_contract::{JsonObject, Limits, Sandbox, Store};
use hookhost_v8::{CoverageSink, Engine, Tier};

use crate::HookHostError;
use crate::generation::{Generation, Hosted};
use crate::host::HookHost;
use crate::settings::Settings;

/// Builds a [`HookHost`]. Each setter gives its default.
#[must_use]
pub struct HookHostBuilder {
    project: PathBuf,
    settings: Settings,
}

impl HookHostBuilder {
    pub(crate) fn new() -> Self {
        Self {
            project: PathBuf::from("."),
            settings: Settings {
                strict: false,
                store: None,
                env: BTreeMap::new(),
                limits: Limits::default(),
                sandbox: Sandbox::Advisory,
                tier: Tier::default(),
                audit: Vec::new(),
                only: None,
                configs: BTreeMap::new(),
                coverage: None,
            },
        }
    }

    /// The project's folder, with `hooks/` and perhaps `amodal.json`. Default: the current folder.
    pub fn project(mut self, folder: impl AsRef<Path>) -> Self {
        self.project = folder.as_ref().to_owned();
        self
    }

    /// Refuse to build, and to reload, while a local hook cannot be loaded from disk. Default: it is skipped and reported.
    pub fn strict(mut self, strict: bool) -> Self {
        self.settings.strict = strict;
        self
    }

    /// What `ctx.store` reads, for hooks with the capability `store:read`. Default: no store.
    pub fn store(mut self, store: impl Store) -> Self {
        self.settings.store = Some(Arc::new(store));
        self
    }

    /// Exposes these variables of the process's environment in `ctx.env`, with their present values; those that are
    /// not set, or not Unicode, are left out. Adds to earlier ones. Default: none.
    pub fn env_names(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        for name in names {
            let name = name.into();
            if let Ok(value) = std::env::var(&name) {
                self.settings.env.insert(name, value);
            }
        }
        self
    }

    /// Exposes a string in `ctx.env`, in place of an earlier one of that name. Default: none.
    pub fn env_var(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.settings.env.insert(name.into(), value.into());
        self
    }

    /// What each hook may use. A manifest's `timeoutMs` wins over [`Limits::timeout`]. Default: [`Limits::default`].
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
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
        self.settings.sandbox = sandbox;
        self
    }

    /// What hooks find around them. Default: [`Tier::Web`]. [`Tier::Node`] needs the cargo feature `node`. The hosts that
    /// a process has at one time have the same tier.
    ///
    /// In the Node tier, `process.env` begins with the process's environment, without what begins with `HOOKHOST_`, and what is
    /// exposed in `ctx.env`; under
    /// [`Sandbox::Enforced`] with the latter only, and with nothing for a hook without `secrets`. Each hook has its own
    /// copy.
    pub fn tier(mut self, tier: Tier) -> Self {
        self.settings.tier = tier;
        self
    }

    /// Where every answer that is not an allow, and every failure, is recorded. Default: only in `tracing`, with the
    /// target `hookhost::guardrail`. Adds to earlier ones.
    ///
    /// With a [`Recorder`](crate::Recorder), each decision is kept as a fixture, which `hookhost test` can run again.
    pub fn audit(mut self, sink: impl AuditSink + 'static) -> Self {
        self.settings.audit.push(Arc::new(sink));
        self
    }

    /// Start only the hooks of these names. The others are [`HookState::Found`](crate::HookState::Found), and not called.
    /// Default: all.
    pub fn only_hooks(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.settings.only = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Lays `config` over the config of a hook, key by key: over what its manifest and `amodal.json` say. For a name that no
    /// hook has it means nothing. Default: nothing.
    pub fn hook_config(mut self, hook: impl Into<String>, config: JsonObject) -> Self {
        self.settings.configs.entry(hook.into()).or_default().extend(config);
        self
    }

    /// Where it is collected what of the hooks has run. Hooks run slower by that. Default: nowhere.
    ///
    /// The sink has everything when the host has been dropped.
    pub fn coverage(mut self, sink: Arc<CoverageSink>) -> Self {
        self.settings.coverage = Some(sink);
        self
    }

    /// Loads the project and starts its hooks, all at once; ready when each has been loaded or has failed to, at the
    /// latest a second after the load limit.
    ///
    /// With the cargo feature `fetch`, the cryptography of rustls is chosen for the process, unless it has been: a program that
    /// wants another one than AWS-LC installs it first.
    ///
    /// # Errors
    /// The project as a whole cannot be read, the operating system refuses a thread, or, in strict mode, a local hook
    /// cannot be loaded from disk.
    pub async fn build(self) -> Result<HookHost, HookHostError> {
        let Self { project: folder, settings } = self;
        let project = settings.load(&folder)?;

        let engine = Engine::start(settings.tier, settings.limits.clone())?;
        let (called, not_called) = settings.choose(&project);
        let mut hosted = Vec::new();
        for source in called {
            let instance = settings.spawn(&engine, &source)?;
            hosted.push(Hosted { source, instance, outdated: None });
        }
        for Hosted { instance, .. } in &hosted {
            instance.loaded().await;
        }
        let generation = Generation::new(&settings, hosted, not_called, project.report)?;
        // What the path means now: the program may go elsewhere later.
        Ok(HookHost::new(project.root, settings, engine, generation))
    }
}
