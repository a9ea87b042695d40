//! Where instances come from.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hookhost_contract::{JsonObject, Limits, Store};

use crate::coverage::CoverageSink;
use crate::error::EngineError;
use crate::instance::Instance;
use crate::permissions::Permissions;
use crate::realm::{Realm, Tier};
use crate::tier_in_use::TierInUse;
use crate::watchdog::Watchdog;

/// Starts instances of hooks and watches over their time. Cheap to clone; all clones are the same engine.
#[derive(Clone)]
pub struct Engine {
    parts: Arc<EngineParts>,
}

pub(crate) struct EngineParts {
    pub(crate) tier: Tier,
    pub(crate) limits: Limits,
    pub(crate) realm: Box<dyn Realm>,
    pub(crate) watchdog: Arc<Watchdog>,
}

/// One hook to run.
#[derive(Clone)]
pub struct HookSpec {
    /// The hook's name: `ctx.hookName`, and in logs.
    pub name: String,
    /// The hook's folder, an absolute path. Places in errors are relative to it.
    pub folder: PathBuf,
    /// The module to load, an absolute path.
    pub handler: PathBuf,
    /// What the factory is called with.
    pub config: JsonObject,
    /// What `ctx.store` reads. `None` leaves `ctx.store` out: the caller knows whether the hook has `store:read`.
    pub store: Option<Arc<dyn Store>>,
    /// What it may reach beside its payload.
    pub permissions: Permissions,
    /// What `process.env` holds at first, where there is a `process`. What the hook writes there stays with it.
    pub process_env: BTreeMap<String, String>,
    /// The hook's own wall-clock limit, for what it runs outside calls too.
    pub timeout: Duration,
    /// Where it is collected what of the hook has run. `None` counts nothing, and costs nothing.
    pub coverage: Option<Arc<CoverageSink>>,
}

/// With much less, V8 ends the process before a hook is loaded; and it takes 0 for its own default.
const MIN_HEAP: usize = 16 << 20;

/// The shortest reply that stops a call has to fit: with less, a block would be no answer, and an open fail policy would
/// let the call pass.
const MIN_REPLY: usize = 64;

impl Engine {
    /// Starts an engine whose instances all belong to `tier` and have `limits`; a heap of less than 16 MiB becomes one of 16 MiB, since V8
    /// could not start with it, and a reply limit of less than 64 bytes one of 64, so that a block fits.
    ///
    /// V8 is initialised with the first engine of the process, on a thread of its own. A process that also uses V8 by
    /// other means must let hookhost initialise it first.
    ///
    /// # Errors
    /// The operating system refused a thread, or the tier is not part of this build.
    pub fn start(tier: Tier, limits: Limits) -> Result<Self, EngineError> {
        let realm = tier.realm()?;
        choose_cryptography();
        let heap_bytes = limits.heap_bytes.max(MIN_HEAP);
        let reply_bytes = limits.reply_bytes.max(MIN_REPLY);
        let limits = limits.heap_bytes(heap_bytes).reply_bytes(reply_bytes);
        let watchdog = Arc::new(Watchdog::start()?);
        Ok(Self { parts: Arc::new(EngineParts { tier, limits, realm, watchdog }) })
    }

    /// Starts an instance of a hook, on a thread of its own. It loads meanwhile: see [`Instance::loaded`].
    ///
    /// # Errors
    /// The operating system refused a thread, or there are hooks of the other tier in this process.
    pub fn spawn(&self, spec: HookSpec) -> Result<Instance, EngineError> {
        let tier = TierInUse::take(self.parts.tier)?;
        Ok(Instance::start(self.parts.clone(), spec, tier)?)
    }
}

/// Deno's crates ask rustls for the process's cryptography. With two of them in a program rustls does not choose, and panics
/// instead. So it is chosen here, unless the program has done so: the one that Deno itself uses.
fn choose_cryptography() {
    #[cfg(feature = "fetch")]
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Somebody else may have been quicker, which is as good.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    }
}

/// A point in time that a clock can express, however long the duration: a year is for ever.
pub(crate) fn after(start: Instant, duration: Duration) -> Instant {
    const EVER: Duration = Duration::from_secs(366 * 24 * 3600);
    start + duration.min(EVER)
}
