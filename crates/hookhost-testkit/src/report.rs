//! What came of a run.

use std::path::{Path, PathBuf};

use hookhost::Decision;
use hookhost_loader::PathPart;
use serde::{Serialize, Serializer};

use crate::compare::Mismatch;

/// What came of a run. As JSON it is what `hookhost test --format json` prints.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TestReport {
    /// At least one fixture was run, none failed, and every project could be loaded whole.
    pub ok: bool,
    /// Fixtures whose expectations were met.
    pub passed: usize,
    /// Fixtures whose expectations were not met.
    pub failed: usize,
    /// Fixtures that could not be run: they are wrong in themselves, or do not fit the project.
    pub errors: usize,
    /// Fixtures that were not run, since an earlier one failed (`--fail-fast`) or since the filter leaves them out.
    pub skipped: usize,
    /// Wall-clock time of the whole run, in milliseconds.
    pub duration_ms: f64,
    /// The files, in the order of their paths.
    pub files: Vec<FileReport>,
    /// What is wrong with a project as a whole: a guard that was left out is a problem of every fixture.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// Each hook that was called, the slowest first.
    pub hooks: Vec<HookTimes>,
}

/// What came of one file.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FileReport {
    /// The file, as it was found.
    #[serde(serialize_with = "as_text")]
    pub file: PathBuf,
    /// The project it belongs to.
    #[serde(serialize_with = "as_text")]
    pub project: PathBuf,
    /// Why the file cannot be used at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<FileProblem>,
    /// What was read to run it, absolute, links resolved: the file itself, `amodal.json`, the hooks' files, stores.
    #[serde(skip)]
    pub uses: Vec<PathBuf>,
    /// Its fixtures, in the order of the file; those that the filter leaves out are not here.
    pub fixtures: Vec<FixtureReport>,
}

/// Why a file cannot be used at all.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FileProblem {
    /// The line, from 1, if it is about one.
    pub line: Option<usize>,
    /// What is wrong and what to do.
    pub message: String,
}

/// How a fixture ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// What was expected came of it.
    Passed,
    /// Something else did.
    Failed,
    /// It could not be run.
    Error,
    /// It was not run.
    Skipped,
}

/// What came of one fixture.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FixtureReport {
    /// Its name, or its place in the file.
    pub name: String,
    /// The line it begins at, from 1.
    pub line: usize,
    /// The one hook it is about; `null` for the whole chain.
    pub hook: Option<String>,
    /// How it ended.
    pub status: Status,
    /// How long its decisions took together, in milliseconds.
    pub duration_ms: f64,
    /// Why it could not be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its calls, as far as they were made.
    pub steps: Vec<StepReport>,
}

/// What came of one call.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StepReport {
    /// Its name or number, if it is one of several.
    pub name: Option<String>,
    /// The line it begins at, from 1.
    pub line: usize,
    /// What is otherwise than expected.
    pub mismatches: Vec<Mismatch>,
    /// What the hooks decided.
    pub decision: Decision,
    /// The fixture says nothing of what must come of it.
    #[serde(skip)]
    pub(crate) lacks_expect: bool,
    /// Where it is in the file.
    #[serde(skip)]
    pub(crate) path: Vec<PathPart>,
}

/// How long the calls of one hook took.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HookTimes {
    /// The hook.
    pub hook: String,
    /// How often it was called.
    pub calls: usize,
    /// The median, in milliseconds.
    pub median_ms: f64,
    /// The longest, in milliseconds.
    pub max_ms: f64,
}

impl TestReport {
    /// Every fixture that was run or should have been, with its file.
    pub fn fixtures(&self) -> impl Iterator<Item = (&FileReport, &FixtureReport)> {
        self.files.iter().flat_map(|file| file.fixtures.iter().map(move |fixture| (file, fixture)))
    }

    /// Adds up what the files say.
    pub(crate) fn new(files: Vec<FileReport>, problems: Vec<String>, left_out: usize, duration_ms: f64) -> Self {
        let count = |status| files.iter().flat_map(|file| &file.fixtures).filter(|it| it.status == status).count();
        let [passed, failed, skipped] = [Status::Passed, Status::Failed, Status::Skipped].map(count);
        let errors = count(Status::Error) + files.iter().filter(|file| file.error.is_some()).count();
        let ok = passed > 0 && failed + errors + skipped == 0 && problems.is_empty();
        let hooks = hook_times(&files);
        Self { ok, passed, failed, errors, skipped: skipped + left_out, duration_ms, files, problems, hooks }
    }
}

fn hook_times(files: &[FileReport]) -> Vec<HookTimes> {
    let mut times: std::collections::BTreeMap<&str, Vec<f64>> = Default::default();
    let steps = files.iter().flat_map(|file| &file.fixtures).flat_map(|fixture| &fixture.steps);
    for run in steps.flat_map(|step| &step.decision.runs) {
        times.entry(&run.hook).or_default().push(run.duration_ms);
    }
    let mut hooks: Vec<_> = times
        .into_iter()
        .map(|(hook, mut times)| {
            times.sort_by(f64::total_cmp);
            HookTimes {
                hook: hook.to_owned(),
                calls: times.len(),
                median_ms: times.get(times.len() / 2).copied().unwrap_or_default(),
                max_ms: times.last().copied().unwrap_or_default(),
            }
        })
        .collect();
    hooks.sort_by(|one, other| other.median_ms.total_cmp(&one.median_ms));
    hooks
}

/// A path that is no Unicode is still shown; forward slashes everywhere, so that reports of all systems are alike.
pub(crate) fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&shown(path))
}
