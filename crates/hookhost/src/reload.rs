//! Bringing a host up to date with what is on disk, while it decides.

use std::sync::Arc;
use std::time::Duration;

use hookhost_contract::Failure;
use hookhost_loader::{Diagnostic, HookSource, Project, Severity};
use hookhost_v8::Engine;
use serde::Serialize;

use crate::HookHostError;
use crate::generation::{Generation, Hosted};
use crate::settings::{Settings, starts_alike};

/// What [`HookHost::reload`](crate::HookHost::reload) did: each hook's name is in one of the lists, in the order in which
/// hooks were loaded; and each folder that is no hook is in the last one.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Reload {
    /// Started again, and answering.
    pub reloaded: Vec<String>,
    /// New.
    pub added: Vec<String>,
    /// Not called any more: the folder is gone, or the project has switched it off.
    pub removed: Vec<String>,
    /// As they were, with what they remember.
    pub unchanged: Vec<String>,
    /// What is on disk cannot be used, so the version that could goes on answering.
    pub kept: Vec<KeptHook>,
    /// Cannot be started, and there is no version that could: each call is decided by the fail policy.
    pub failing: Vec<FailingHook>,
    /// Folders that cannot be loaded and of which no version is running: nobody is asked there. [`HookHost::report`] has the same.
    ///
    /// [`HookHost::report`]: crate::HookHost::report
    pub skipped: Vec<Diagnostic>,
}

/// A hook whose last good version goes on answering.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct KeptHook {
    /// The hook.
    pub hook: String,
    /// Why what is on disk cannot be used.
    pub why: String,
}

/// A hook that cannot be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FailingHook {
    /// The hook.
    pub hook: String,
    /// Why.
    pub failure: Failure,
}

impl Reload {
    /// True if the host is as it was.
    pub fn is_nothing(&self) -> bool {
        self.reloaded.is_empty() && self.added.is_empty() && self.removed.is_empty()
    }
}

/// Makes the next generation of `present`, from what is on disk. The last of what it returns are hooks that were started in vain.
pub(crate) async fn next_generation(
    settings: &Settings,
    engine: &Engine,
    project: Project,
    present: &Generation,
) -> Result<(Generation, Reload, Vec<Hosted>), HookHostError> {
    let (called, not_called) = settings.choose(&project);
    let load = project.report;
    let mut reload = Reload::default();

    // All are started first, so that they load side by side.
    let mut next = Vec::new();
    for source in called {
        let old = present.find(&source.name);
        let instance = match old.filter(|old| is_same(old, &source)) {
            Some(old) => old.instance.clone(),
            None => settings.spawn(engine, &source)?,
        };
        next.push(Hosted { source, instance, outdated: None });
    }
    let (mut hosted, mut in_vain) = (Vec::new(), Vec::new());
    for new in next {
        new.instance.loaded().await;
        let name = new.source.name.clone();
        let old = present.find(&name);
        let is_old = old.is_some_and(|old| Arc::ptr_eq(&old.instance, &new.instance));
        match (old, new.failure()) {
            (Some(old), Some(failure)) if !is_old && old.failure().is_none() => {
                let why = failure.to_string();
                reload.kept.push(KeptHook { hook: name, why: why.clone() });
                hosted.push(Hosted { outdated: Some(why), ..old.clone() });
                in_vain.push(new);
                continue;
            }
            (_, Some(failure)) => reload.failing.push(FailingHook { hook: name, failure }),
            (None, None) => reload.added.push(name),
            (Some(_), None) if is_old => reload.unchanged.push(name),
            (Some(_), None) => reload.reloaded.push(name),
        }
        hosted.push(new);
    }
    for old in &present.hosted {
        let name = &old.source.name;
        if hosted.iter().any(|hosted| &hosted.source.name == name) {
            continue;
        }
        let is_known = not_called.iter().any(|(source, _)| &source.name == name);
        let same_folder = |source: &HookSource| source.folder == old.source.folder;
        let is_renamed = hosted.iter().any(|hosted| same_folder(&hosted.source));
        // Its folder is there, and cannot be loaded: a guard must not vanish by a slip of the pen.
        let why = load.diagnostics.iter().find(|problem| {
            problem.folder.as_ref().is_some_and(|folder| project.root.join(folder) == old.source.folder)
                || problem.hook.as_ref() == Some(name)
        });
        match why {
            Some(problem) if !is_known && !is_renamed && old.source.folder.is_dir() => {
                let why = problem.to_string();
                reload.kept.push(KeptHook { hook: name.clone(), why: why.clone() });
                hosted.push(Hosted { outdated: Some(why), ..old.clone() });
            }
            _ => reload.removed.push(name.clone()),
        }
    }
    let runs = |problem: &Diagnostic| {
        let folder = problem.folder.as_ref().map(|folder| project.root.join(folder));
        hosted.iter().any(|hosted| Some(&hosted.source.folder) == folder.as_ref())
    };
    let skipped = load.diagnostics.iter().filter(|problem| problem.severity == Severity::Error && !runs(problem));
    reload.skipped = skipped.cloned().collect();
    Ok((Generation::new(settings, hosted, not_called, load)?, reload, in_vain))
}

/// Whether a hook that runs is the one on disk. One that fails is always tried again: what it lacks may have come.
fn is_same(old: &Hosted, source: &HookSource) -> bool {
    starts_alike(&old.source, source) && old.failure().is_none() && !old.instance.has_changed_on_disk()
}

/// Drops a generation that was replaced, once the last decision on it has been made, and hooks that were started in vain.
/// Dropping an instance waits for its thread: not on a thread of the caller's runtime.
pub(crate) fn retire(old: Arc<Generation>, in_vain: Vec<Hosted>) -> std::io::Result<std::thread::JoinHandle<()>> {
    std::thread::Builder::new().name("hookhost:retire".to_owned()).spawn(move || {
        drop(in_vain);
        while Arc::strong_count(&old) > 1 {
            std::thread::sleep(Duration::from_millis(10));
        }
    })
}
