//! Runs again what a change touches: for `test --watch` and for `dev`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hookhost_testkit::{FoundFile, TestOptions, TestReport};

use super::fixtures;
use crate::args::{Fixtures, Format, Global};
use crate::output::{self, Outcome, Problem};
use crate::reporters;
use crate::watch::Watch;

/// The fixtures of the command line, and what each file of them was last seen to depend on.
pub(super) struct Rerun<'c> {
    global: &'c Global,
    given: &'c Fixtures,
    watch: Watch,
    /// What each fixture file depends on, absolute.
    uses: BTreeMap<PathBuf, Vec<PathBuf>>,
}

impl<'c> Rerun<'c> {
    /// Begins to watch: the places where fixtures are, and the projects that they belong to.
    pub(super) fn begin(global: &'c Global, given: &'c Fixtures) -> Result<Self, Problem> {
        let mut folders = vec![real(global.project())];
        for place in fixtures::places(global, given) {
            let folder = if place.is_dir() { place.as_path() } else { place.parent().unwrap_or(Path::new(".")) };
            folders.push(real(folder));
        }
        if let Ok(found) = fixtures::find(global, given) {
            folders.extend(found.iter().map(|found| real(&found.project)));
        }
        folders.sort();
        folders.dedup();
        // A folder in another one is watched with it.
        let outermost: Vec<_> = folders
            .iter()
            .filter(|folder| !folders.iter().any(|other| other != *folder && folder.starts_with(other)))
            .cloned()
            .collect();
        Ok(Self { global, given, watch: Watch::over(&outermost)?, uses: BTreeMap::new() })
    }

    /// Prints what came of a run, and remembers what it depends on.
    pub(super) fn show(&mut self, report: &TestReport) -> Result<(), Problem> {
        for file in &report.files {
            self.uses.insert(real(&file.file), file.uses.clone());
        }
        let text = match self.global.format {
            Format::Json => Outcome::json(report, 0)?.text,
            Format::Human => format!("{}\n", reporters::human(report, false, false)),
        };
        output::print(&text, self.global.format).map_err(|error| Problem::failed(error.to_string()))?;
        if self.global.format == Format::Human {
            output::note("waiting for a change; ctrl-c ends");
        }
        Ok(())
    }

    /// The next change.
    pub(super) async fn changed(&mut self) -> Option<Vec<PathBuf>> {
        self.watch.next().await
    }

    /// Runs the fixture files that depend on what has changed, and shows what came of them.
    pub(super) async fn run(&mut self, changed: &[PathBuf], options: &TestOptions) -> Result<(), Problem> {
        let touched = match fixtures::find(self.global, self.given) {
            Ok(found) => self.touched(found, changed),
            Err(problem) => {
                output::warn(&problem.message);
                return Ok(());
            }
        };
        if touched.is_empty() {
            return Ok(());
        }
        let report = fixtures::run(touched, options, self.global.format).await;
        self.show(&report)
    }

    fn touched(&self, found: Vec<FoundFile>, changed: &[PathBuf]) -> Vec<FoundFile> {
        let is_used = |path: &PathBuf| self.uses.values().any(|uses| uses.contains(path));
        // A new file beside a hook may be one that it was waiting for.
        let is_news = |path: &PathBuf, project: &Path| {
            !is_used(path) && !is_fixture(path) && path.starts_with(project.join("hooks"))
        };
        found
            .into_iter()
            .filter(|found| {
                let Some(uses) = self.uses.get(&real(&found.file)) else { return true };
                let project = real(&found.project);
                changed.iter().any(|path| uses.contains(path) || is_news(path, &project))
            })
            .collect()
    }
}

fn is_fixture(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".fixture.json")
}

/// The path as the watcher tells it.
fn real(path: &Path) -> PathBuf {
    dunce::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
