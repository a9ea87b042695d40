//! Runs fixtures: those of one file on hooks of their own, several files side by side.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use futures::StreamExt;
use hookhost::{Call, CoverageSink, Decision, FailureCause, HookHost, Sandbox, Store, Tier};
use hookhost_contract::{Fixture, FixtureStores};
use hookhost_loader::{LoadedFixture, LoadedStep};
use serde_json::Value;

use crate::Filter;
use crate::compare::compare;
use crate::find::FoundFile;
use crate::plan::{Group, Member, Plan, PlannedFile};
use crate::project::point_of;
use crate::report::{FileReport, FixtureReport, Status, StepReport, TestReport};
use crate::store::{Exchangeable, fixture_store, store_path};

/// How fixtures are run. Each field gives its default.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct TestOptions {
    /// What the capabilities of hooks mean. Default: advisory.
    pub sandbox: Sandbox,
    /// What hooks find around them. Default: web.
    pub tier: Tier,
    /// What `ctx.env` holds beside a fixture's own `env`. Default: nothing.
    pub env: BTreeMap<String, String>,
    /// What `ctx.store` reads for fixtures without `stores`. Default: nothing.
    pub store: Option<Arc<dyn Store>>,
    /// Which fixtures are run. Default: all.
    pub filter: Option<Filter>,
    /// Stop at the first fixture that fails. Groups are run one after the other then, so that it is always the same one.
    pub fail_fast: bool,
    /// How many files are run side by side. Default: 0, as many as there are processors.
    pub jobs: usize,
    /// Where it is collected what of the hooks has run. Default: nowhere.
    pub coverage: Option<Arc<CoverageSink>>,
}

/// How far a run is.
#[derive(Debug, Default)]
pub struct Progress {
    total: AtomicUsize,
    done: AtomicUsize,
    failed: AtomicUsize,
}

impl Progress {
    /// How many fixtures there are, how many have been run, and how many of those failed.
    pub fn now(&self) -> (usize, usize, usize) {
        let [total, done, failed] = [&self.total, &self.done, &self.failed].map(|it| it.load(Ordering::Relaxed));
        (total, done, failed)
    }
}

/// Runs every fixture of `found`. What comes back is in the order of the files, however they were run.
///
/// `progress` can be looked at meanwhile.
pub async fn run_fixtures(found: Vec<FoundFile>, options: &TestOptions, progress: &Progress) -> TestReport {
    let started = Instant::now();
    let Plan { mut files, projects, groups, left_out } = Plan::new(found, options);
    progress.total.store(groups.iter().map(|group| group.fixtures.len()).sum(), Ordering::Relaxed);
    let jobs = match (options.fail_fast, options.jobs) {
        (true, _) => 1,
        (false, 0) => std::thread::available_parallelism().map_or(1, usize::from),
        (false, jobs) => jobs,
    };
    let stop = AtomicBool::new(false);
    let ran: Vec<Vec<Ran>> = {
        let (files, projects, stop) = (&files, &projects, &stop);
        let run = |group: Group| async move {
            let run = GroupRun { group: &group, files, options, progress, stop };
            run.run(&projects[group.project].folder).await
        };
        futures::stream::iter(groups).map(run).buffer_unordered(jobs).collect().await
    };
    for Ran { file, place, report, uses } in ran.into_iter().flatten() {
        files[file].reports.insert(place, report);
        files[file].uses.extend(uses);
    }
    let problems = projects.iter().flat_map(|project| project.problems()).collect();
    let files = files
        .into_iter()
        .map(|PlannedFile { found, loaded, reports, uses }| FileReport {
            uses: used(&found, uses),
            file: found.file,
            project: found.project,
            error: loaded.err(),
            fixtures: reports.into_values().collect(),
        })
        .collect();
    TestReport::new(files, problems, left_out, started.elapsed().as_secs_f64() * 1000.0)
}

/// A group that is run.
struct GroupRun<'r> {
    group: &'r Group,
    files: &'r [PlannedFile],
    options: &'r TestOptions,
    progress: &'r Progress,
    stop: &'r AtomicBool,
}

/// A fixture that was run, by its places.
struct Ran {
    file: usize,
    place: usize,
    report: FixtureReport,
    /// What was read to run it.
    uses: Vec<PathBuf>,
}

impl GroupRun<'_> {
    async fn run(&self, project: &Path) -> Vec<Ran> {
        let store = Exchangeable::default();
        let mut host = None;
        let mut all = Vec::new();
        for Member { file, place, hooks } in &self.group.fixtures {
            let (file, place) = (*file, *place);
            let PlannedFile { found, loaded: Ok(loaded), .. } = &self.files[file] else { continue };
            let Some(Ok(fixture)) = loaded.fixtures.get(place) else { continue };
            let (report, uses) = match self.stop.load(Ordering::Relaxed) {
                true => (FixtureReport::skipped(fixture), Vec::new()),
                false => {
                    if host.is_none() {
                        host = Some(self.group.settings.start(project, &self.group.hooks, &store, self.options).await);
                    }
                    match &host {
                        Some(Ok(running)) => {
                            let report = self.fixture(running, &store, fixture, &found.file).await;
                            let mut uses = stores_of(fixture, &found.file);
                            uses.extend(hooks.iter().flat_map(|hook| running.files(hook)));
                            (report, uses)
                        }
                        Some(Err(error)) => (FixtureReport::begun(fixture).failed_with(error.to_string()), Vec::new()),
                        None => (FixtureReport::skipped(fixture), Vec::new()),
                    }
                }
            };
            if report.steps.iter().any(|step| broke_a_hook(&step.decision)) {
                // It would rest before it is started again, and the next fixture would pay for this one.
                host = None;
            }
            self.progress.done.fetch_add(1, Ordering::Relaxed);
            if matches!(report.status, Status::Failed | Status::Error) {
                self.progress.failed.fetch_add(1, Ordering::Relaxed);
                self.stop.fetch_or(self.options.fail_fast, Ordering::Relaxed);
            }
            all.push(Ran { file, place, report, uses });
        }
        all
    }

    async fn fixture(
        &self,
        host: &HookHost,
        store: &Exchangeable,
        fixture: &LoadedFixture,
        file: &Path,
    ) -> FixtureReport {
        let mut report = FixtureReport::begun(fixture);
        for step in &fixture.steps {
            let present = match &step.call.stores {
                Some(stores) => match fixture_store(stores, file) {
                    Ok(store) => Some(store),
                    Err(error) => return report.failed_with(error),
                },
                None => self.options.store.clone(),
            };
            store.set(present);
            let call = match call(&step.call) {
                Ok(call) => call,
                Err(error) => return report.failed_with(error),
            };
            let started = Instant::now();
            let decision = host.decide(call).await;
            let took_ms = started.elapsed().as_secs_f64() * 1000.0;
            let (mismatches, error) = judge(step, &decision, took_ms);
            report.add(step, mismatches, decision, took_ms);
            if let Some(error) = error {
                report = report.failed_with(error);
            }
        }
        report
    }
}

/// Whether a hook's isolate came to its end by this.
fn broke_a_hook(decision: &Decision) -> bool {
    let ends = [FailureCause::TimedOut, FailureCause::OutOfMemory, FailureCause::Exited];
    decision.runs.iter().any(|run| run.failure.as_ref().is_some_and(|failure| ends.contains(&failure.cause)))
}

/// The files of stores that a fixture names.
fn stores_of(fixture: &LoadedFixture, file: &Path) -> Vec<PathBuf> {
    let stores = fixture.steps.iter().filter_map(|step| step.call.stores.as_ref());
    stores
        .filter_map(|stores| match stores {
            FixtureStores::Path(path) => Some(store_path(path, file)),
            FixtureStores::Rows(_) => None,
        })
        .collect()
}

/// Everything that a file depends on, as a watcher names it.
fn used(found: &FoundFile, mut uses: Vec<PathBuf>) -> Vec<PathBuf> {
    uses.push(found.file.clone());
    uses.push(found.project.join(hookhost_loader::SETTINGS_FILE));
    let real = |path: &PathBuf| std::fs::canonicalize(path).or_else(|_| std::path::absolute(path)).ok();
    let mut uses: Vec<_> = uses.iter().filter_map(real).collect();
    uses.sort();
    uses.dedup();
    uses
}

/// What is otherwise than expected; or why that cannot be said.
fn judge(step: &LoadedStep, decision: &Decision, took_ms: f64) -> (Vec<crate::Mismatch>, Option<String>) {
    let failed = decision.runs.iter().find_map(|run| run.failure.as_ref());
    let Some(expect) = &step.expect else {
        if let Some(failure) = failed {
            let error = format!(
                "it has no `expect`, and `--update` gives it none, since a hook failed: mend that, or write \
                 `\"failure\": \"{}\"` if you mean it",
                failure.cause
            );
            return (Vec::new(), Some(error));
        }
        let error = "it has no `expect`: write what must come of it, or have it written with `hookhost test --update`";
        return (Vec::new(), Some(error.to_owned()));
    };
    if decision.runs.is_empty() && expect.ran.is_none() {
        return (Vec::new(), Some(nobody_asked(step)));
    }
    (compare(expect, decision, took_ms), None)
}

/// A call that no hook wanted to see was allowed by nobody.
fn nobody_asked(step: &LoadedStep) -> String {
    let who = match &step.call.hook {
        Some(hook) => format!("hook `{hook}` was not asked"),
        None => "no hook was asked".to_owned(),
    };
    let tool = step.call.payload.as_ref().and_then(|payload| payload.get("toolName"));
    format!(
        "{who}: no `match` fits the tool {}. If that is what you mean, write `\"ran\": []` in `expect`",
        tool.unwrap_or(&Value::Null)
    )
}

/// The call that a complete fixture describes.
pub(crate) fn call(fixture: &Fixture) -> Result<Call, String> {
    let point = point_of(fixture)?;
    let mut call = Call::new(point.clone(), fixture.payload.clone().unwrap_or_default());
    call.caller.clone_from(&fixture.caller);
    call.scope_id.clone_from(&fixture.scope_id);
    call.context.clone_from(&fixture.context);
    call.session_id.clone_from(&fixture.session_id);
    call.turn_id.clone_from(&fixture.turn_id);
    call.only_hook.clone_from(&fixture.hook);
    Ok(call)
}

impl FixtureReport {
    fn new(name: String, line: usize, hook: Option<String>, status: Status) -> Self {
        Self { name, line, hook, status, duration_ms: 0.0, error: None, steps: Vec::new() }
    }

    fn begun(fixture: &LoadedFixture) -> Self {
        Self::new(fixture.name.clone(), fixture.position.line, fixture.fixture.hook.clone(), Status::Passed)
    }

    fn skipped(fixture: &LoadedFixture) -> Self {
        Self { status: Status::Skipped, ..Self::begun(fixture) }
    }

    /// A fixture that could not be run.
    pub(crate) fn error(name: String, line: usize, hook: Option<String>, error: String) -> Self {
        Self::new(name, line, hook, Status::Error).failed_with(error)
    }

    fn failed_with(mut self, error: String) -> Self {
        self.status = Status::Error;
        // The first one is the one to mend.
        self.error.get_or_insert(error);
        self
    }

    fn add(&mut self, step: &LoadedStep, mismatches: Vec<crate::Mismatch>, decision: Decision, took_ms: f64) {
        self.duration_ms += took_ms;
        if !mismatches.is_empty() && self.status == Status::Passed {
            self.status = Status::Failed;
        }
        self.steps.push(StepReport {
            name: step.name.clone(),
            line: step.position.line,
            mismatches,
            decision,
            lacks_expect: step.expect.is_none(),
            path: step.path.clone(),
        });
    }
}
