//! The host: one project's hooks, ready to decide.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use futures::future::{Either, join_all, select};
use futures_timer::Delay;
use hookhost_contract::{Call, Decision, Point};
use hookhost_loader::MANIFEST_FILE;
use hookhost_v8::{Engine, MemoryUse, Tier};

use crate::HookHostError;
use crate::builder::HookHostBuilder;
use crate::generation::Generation;
use crate::reload::{Reload, next_generation, retire};
use crate::report::HostReport;
use crate::session::SessionBuilder;
use crate::settings::Settings;

/// One project's hooks, ready to decide. Share it in an `Arc`; calls from many tasks run side by side.
///
/// Dropping it ends the hooks, which takes some milliseconds.
pub struct HookHost {
    project: PathBuf,
    settings: Settings,
    engine: Engine,
    present: RwLock<Arc<Generation>>,
    /// One reload at a time.
    reloading: futures::lock::Mutex<()>,
    /// The threads that wait for the end of former generations.
    retiring: Mutex<Vec<JoinHandle<()>>>,
}

impl HookHost {
    /// Starts building a host.
    pub fn builder() -> HookHostBuilder {
        HookHostBuilder::new()
    }

    pub(crate) fn new(project: PathBuf, settings: Settings, engine: Engine, generation: Generation) -> Self {
        let present = RwLock::new(Arc::new(generation));
        Self { project, settings, engine, present, reloading: Default::default(), retiring: Mutex::default() }
    }

    fn present(&self) -> Arc<Generation> {
        self.present.read().unwrap_or_else(PoisonError::into_inner).clone()
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
        // One generation from the first hook to the last, whatever a reload does meanwhile.
        let present = self.present();
        present.chain.decide(call).await
    }

    /// The names of the hooks that are called, in that order.
    pub fn hook_names(&self) -> Vec<String> {
        self.present().chain.hook_names().map(str::to_owned).collect()
    }

    /// Begins a conversation: a [`Session`](crate::Session) carries decisions out, turn by turn. Default settings are on the builder.
    pub fn session(self: &Arc<Self>) -> SessionBuilder {
        SessionBuilder::new(self.clone())
    }

    /// Whether a hook is bound to the point, observing ones included.
    pub fn has_hook_at(&self, point: &Point) -> bool {
        self.present().chain.hooks().iter().any(|hook| hook.points.contains(point))
    }

    /// What has been loaded, what each hook does now, and what was wrong on disk.
    pub fn report(&self) -> HostReport {
        let present = self.present();
        HostReport { sandbox: self.settings.sandbox, hooks: present.statuses(), load: present.load.clone() }
    }

    /// Brings the host up to date with what is on disk, while it decides: what the builder was given stays.
    ///
    /// - A hook that changed is started anew, and takes its place in the chain when it has been loaded. It has changed if
    ///   its `hook.json` or its config has, or a file that it was loaded from: [`HookHost::files`].
    /// - One that cannot be started now, or whose folder cannot be loaded, does not replace the version that could: that one
    ///   goes on answering. [`Reload::kept`] says why, and so does [`HookHost::report`].
    /// - Others keep their instance, and what they remember. A hook whose folder is gone, or that is switched off, is not
    ///   called any more; so delete a guard's folder only if you mean it.
    /// - Order, priority, points and the like hold from now on.
    ///
    /// Each decision sees the chain as it was when it began. Two reloads run one after the other. Dropping the future leaves
    /// everything as it was.
    ///
    /// # Errors
    /// The project as a whole cannot be read, in strict mode a local hook cannot be loaded from disk, or the operating system
    /// refuses a thread. Then nothing has changed.
    pub async fn reload(&self) -> Result<Reload, HookHostError> {
        let _one_at_a_time = self.reloading.lock().await;
        let project = self.settings.load(&self.project)?;
        let present = self.present();
        let (next, reload, in_vain) = next_generation(&self.settings, &self.engine, project, &present).await?;
        drop(present);
        let former = {
            let mut present = self.present.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *present, Arc::new(next))
        };
        let mut retiring = self.retiring.lock().unwrap_or_else(PoisonError::into_inner);
        retiring.retain(|thread| !thread.is_finished());
        // Without a thread it is dropped here, which takes some milliseconds.
        retiring.extend(retire(former, in_vain).ok());
        tracing::info!(target: "hookhost::load", reloaded = ?reload.reloaded, added = ?reload.added,
            removed = ?reload.removed, kept = reload.kept.len(), failing = reload.failing.len(), skipped = reload.skipped.len(),
            "the hooks were reloaded");
        Ok(reload)
    }

    /// The files that a hook was loaded from: its `hook.json`, its modules, and what they import or require. Absolute. Empty
    /// for a hook that is not called.
    pub fn files(&self, hook: &str) -> Vec<PathBuf> {
        let present = self.present();
        let Some(hosted) = present.find(hook) else { return Vec::new() };
        let mut files = vec![hosted.source.folder.join(MANIFEST_FILE)];
        files.extend(hosted.instance.files());
        files
    }

    /// How much each hook holds now, in the order of the chain. All are asked at once. Those that cannot be asked, or have not
    /// answered after a quarter of a second, since they are computing, are left out.
    pub async fn memory(&self) -> Vec<(String, MemoryUse)> {
        const PATIENCE: Duration = Duration::from_millis(250);
        let present = self.present();
        let asked = present.hosted.iter().map(|hosted| async {
            let asked = pin!(hosted.instance.memory());
            match select(asked, Delay::new(PATIENCE)).await {
                Either::Left((memory, _)) => Some((hosted.source.name.clone(), memory?)),
                Either::Right(_) => None,
            }
        });
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// The project's folder, absolute.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// What hooks find around them.
    pub fn tier(&self) -> Tier {
        self.settings.tier
    }
}

impl Drop for HookHost {
    fn drop(&mut self) {
        self.present().close();
        // No decision is under way any more. Isolates are to be gone before the process can begin to end.
        for thread in self.retiring.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let _ = thread.join();
        }
    }
}
