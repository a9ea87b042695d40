//! How long hooks take, on their own fixtures.

use std::path::Path;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use hookhost::{Call, HookState, MemoryUse};
use hookhost_contract::FixtureStores;
use hookhost_loader::{LoadedFixture, LoadedStep};
use serde::Serialize;

use crate::find::FoundFile;
use crate::host::HostSettings;
use crate::plan::Plan;
use crate::report;
use crate::run::{TestOptions, call};
use crate::store::{Exchangeable, fixture_store};

/// How long one hook takes. Times are wall-clock time of a decision that asks this hook alone, one after the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HookBench {
    /// The hook.
    pub hook: String,
    /// How many different calls of its fixtures were made again and again. Those that expect a failure are left out.
    pub different_calls: usize,
    /// How many calls were measured. 0: it has no fixtures, or cannot be started.
    pub calls: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How many there were in a second.
    pub calls_per_second: f64,
    /// Half of the calls were faster, in milliseconds.
    pub p50_ms: f64,
    /// 95 of 100 were faster.
    pub p95_ms: f64,
    /// 99 of 100 were faster.
    pub p99_ms: f64,
    /// The slowest.
    pub max_ms: f64,
    /// What the hook held at the end, if it could be asked.
    pub memory: Option<MemoryUse>,
    /// It has fixtures, and could not be measured with them: it cannot be started, for instance.
    pub broken: bool,
    /// Why there is nothing to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Calls that can be made on one host.
struct Calls<'f> {
    settings: HostSettings,
    steps: Vec<(&'f Path, &'f LoadedStep)>,
}

/// Measures each hook that the fixtures of `found` speak of, or only `hook`, for `time` each, after a fifth of that as a
/// warm-up. `begun` is told each hook's name before.
pub async fn bench_hooks(
    found: Vec<FoundFile>,
    hook: Option<&str>,
    time: Duration,
    options: &TestOptions,
    mut begun: impl FnMut(&str),
) -> Vec<HookBench> {
    let plan = Plan::new(found, options);
    let mut measured = Vec::new();
    for project in &plan.projects {
        let Ok(loaded) = &project.loaded else { continue };
        for source in loaded.hooks.iter().filter(|source| !source.disabled) {
            if hook.is_some_and(|hook| hook != source.name) {
                continue;
            }
            let calls = calls_of(&plan, &project.folder, &source.name, &source.manifest.points, options);
            begun(&source.name);
            measured.push(measure(&project.folder, &source.name, calls, time, options).await);
        }
    }
    measured
}

/// What fixtures call this hook with: its own, and those of the whole chain at its points.
fn calls_of<'f>(
    plan: &'f Plan,
    project: &Path,
    hook: &str,
    points: &[hookhost::Point],
    options: &TestOptions,
) -> Vec<Calls<'f>> {
    let mut all: Vec<Calls<'f>> = Vec::new();
    for file in plan.files.iter().filter(|file| file.found.project == project) {
        let Ok(loaded) = &file.loaded else { continue };
        let shown = report::shown(&file.found.file);
        let is_meant = |fixture: &&LoadedFixture| {
            let filter = options.filter.as_ref();
            filter.is_none_or(|filter| filter.fits(&shown, &fixture.name, fixture.fixture.hook.as_deref()))
        };
        for fixture in loaded.fixtures.iter().flatten().filter(is_meant) {
            let steps = fixture.steps.iter().filter(|step| is_for(step, hook, points));
            let steps: Vec<_> = steps.map(|step| (file.found.file.as_path(), step)).collect();
            if steps.is_empty() {
                continue;
            }
            let settings = HostSettings::of(fixture, options);
            match all.iter_mut().find(|calls| calls.settings == settings) {
                Some(calls) => calls.steps.extend(steps),
                None => all.push(Calls { settings, steps }),
            }
        }
    }
    all
}

fn is_for(step: &LoadedStep, hook: &str, points: &[hookhost::Point]) -> bool {
    let expects_failure = step.expect.as_ref().is_some_and(|expect| expect.failure.is_some());
    let is_bound = step.call.point.as_ref().is_some_and(|point| points.contains(point));
    !expects_failure && is_bound && step.call.hook.as_deref().is_none_or(|name| name == hook)
}

async fn measure(project: &Path, hook: &str, all: Vec<Calls<'_>>, time: Duration, options: &TestOptions) -> HookBench {
    let mut measured = Measured::default();
    let share = time.div_f64(all.len().max(1) as f64);
    let mut problem = None;
    for calls in &all {
        if let Err(error) = measured.add(project, hook, calls, share, options).await {
            problem = Some(error);
            break;
        }
    }
    let broken = problem.is_some();
    if !broken && measured.different_calls == 0 {
        problem = Some("no fixture calls it".to_owned());
    }
    HookBench { broken, ..measured.told(hook, problem) }
}

/// What was measured of one hook.
#[derive(Default)]
struct Measured {
    different_calls: usize,
    /// In nanoseconds.
    times: Vec<u64>,
    spent: Duration,
    failed: u64,
    memory: Option<MemoryUse>,
}

impl Measured {
    /// Makes these calls again and again for `share`.
    async fn add(
        &mut self,
        project: &Path,
        hook: &str,
        calls: &Calls<'_>,
        share: Duration,
        options: &TestOptions,
    ) -> Result<(), String> {
        let store = Exchangeable::default();
        let started = calls.settings.start(project, &[hook.to_owned()], &store, options).await;
        let host = started.map_err(|error| error.to_string())?;
        for status in host.report().hooks {
            if let HookState::Failing { failure } = status.state {
                return Err(format!("it cannot be started: {failure}"));
            }
        }
        let mut made = Vec::new();
        for (call, present) in prepare(calls, hook, options)? {
            store.set(present.clone());
            // One that its `match` keeps away from the hook says nothing of it.
            if !host.decide(call.clone()).await.runs.is_empty() {
                made.push((call, present));
            }
        }
        if made.is_empty() {
            return Ok(());
        }
        self.different_calls += made.len();
        let warm = Instant::now() + share.div_f64(5.0);
        let mut started = None;
        for (call, present) in made.iter().cycle() {
            store.set(present.clone());
            let begun = Instant::now();
            let decision = host.decide(call.clone()).await;
            let took = begun.elapsed();
            if begun < warm {
                continue;
            }
            let started = *started.get_or_insert(begun);
            self.times.push(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX));
            self.failed += u64::from(decision.runs.iter().any(|run| run.failure.is_some()));
            if started.elapsed() >= share {
                self.spent += started.elapsed();
                break;
            }
        }
        self.memory = host.memory().await.into_iter().find(|(name, _)| name == hook).map(|(_, memory)| memory);
        Ok(())
    }

    fn told(self, hook: &str, problem: Option<String>) -> HookBench {
        // Up to an hour, exact to a thousandth.
        let times = Histogram::<u64>::new_with_bounds(1, 3_600_000_000_000, 3).map(|mut times| {
            self.times.iter().for_each(|time| times.saturating_record(*time));
            times
        });
        let at = |quantile| times.as_ref().map_or(0.0, |times| times.value_at_quantile(quantile) as f64 / 1e6);
        let calls = self.times.len() as u64;
        HookBench {
            hook: hook.to_owned(),
            different_calls: self.different_calls,
            calls,
            failed: self.failed,
            calls_per_second: if calls == 0 { 0.0 } else { calls as f64 / self.spent.as_secs_f64() },
            p50_ms: at(0.5),
            p95_ms: at(0.95),
            p99_ms: at(0.99),
            max_ms: at(1.0),
            memory: self.memory,
            broken: false,
            problem,
        }
    }
}

type Made = (Call, Option<std::sync::Arc<dyn hookhost::Store>>);

/// Every call with its store, opened once.
fn prepare(calls: &Calls<'_>, hook: &str, options: &TestOptions) -> Result<Vec<Made>, String> {
    let store = |stores: &Option<FixtureStores>, file: &Path| match stores {
        Some(stores) => fixture_store(stores, file).map(Some),
        None => Ok(options.store.clone()),
    };
    calls
        .steps
        .iter()
        .map(|(file, step)| Ok((call(&step.call)?.only_hook(hook), store(&step.call.stores, file)?)))
        .collect()
}
