//! What changes on disk.

use std::path::{Path, PathBuf};
use std::time::Duration;

use notify_debouncer_full::notify::{EventKind, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, new_debouncer};
use tokio::sync::mpsc;

use crate::output::Problem;

/// Editors write a file in several steps: so long nothing may happen before it is told.
const QUIET: Duration = Duration::from_millis(100);

/// Folders that are watched, with all that is in them.
pub(crate) struct Watch {
    changes: mpsc::UnboundedReceiver<Vec<PathBuf>>,
    /// Dropping it ends the watch.
    _watcher: Box<dyn std::any::Any>,
}

impl Watch {
    /// Begins to watch.
    pub(crate) fn over(folders: &[PathBuf]) -> Result<Self, Problem> {
        let failed = |error: notify_debouncer_full::notify::Error| Problem::failed(format!("cannot watch: {error}"));
        let (tell, changes) = mpsc::unbounded_channel();
        let handle = move |events: DebounceEventResult| {
            let Ok(events) = events else { return };
            let mut paths: Vec<_> = events
                .into_iter()
                .filter(|event| !matches!(event.kind, EventKind::Access(_)))
                .flat_map(|event| event.event.paths)
                .filter(|path| is_of_interest(path))
                .collect();
            paths.sort();
            paths.dedup();
            if !paths.is_empty() {
                // Nobody listens any more when the program ends.
                let _ = tell.send(paths);
            }
        };
        let mut watcher = new_debouncer(QUIET, None, handle).map_err(failed)?;
        for folder in folders {
            watcher.watch(folder, RecursiveMode::Recursive).map_err(failed)?;
        }
        Ok(Self { changes, _watcher: Box::new(watcher) })
    }

    /// What has changed since it was last asked: at least one path, absolute.
    pub(crate) async fn next(&mut self) -> Option<Vec<PathBuf>> {
        let mut paths = self.changes.recv().await?;
        while let Ok(more) = self.changes.try_recv() {
            paths.extend(more);
        }
        Some(paths)
    }
}

/// Not what is hidden, installed or written by us.
fn is_of_interest(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_left_over = name.starts_with('.') || name.ends_with('~') || name.ends_with(".swp") || name == "lcov.info";
    let is_elsewhere = path.components().any(|part| {
        let part = part.as_os_str().to_string_lossy();
        part == "node_modules" || part == ".git"
    });
    !is_left_over && !is_elsewhere
}
