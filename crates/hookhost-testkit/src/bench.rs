//! How long hooks take, on their own fixtures.

use std::path::Path;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use hookhost::{Call, MemoryUse};
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
    let mut bench = HookBench {
        hook: hook.to_owned(),
        different_calls: all.iter().map(|calls| calls.steps.len()).sum(),
        calls: 0,
        failed: 0,
        calls_per_second: 0.0,
        p50_ms: 0.0,
        p95_ms: 0.0,
        p99_ms: 0.0,
        max_ms: 0.0,
        memory: None,
        problem: None,
    };
    if all.is_empty() {
        bench.problem = Some("no fixture calls it".to_owned());
        return bench;
    }
    // Nanoseconds, up to an hour, exact to a thousandth.
    let Ok(mut times) = Histogram::<u64>::new_with_bounds(1, 3_600_000_000_000, 3) else { return bench };
    let mut spent = Duration::ZERO;
    let share = time.div_f64(all.len() as f64);
    for calls in all {
        let store = Exchangeable::default();
        let host = match calls.settings.start(project, &[hook.to_owned()], &store, options).await {
            Ok(host) => host,
            Err(error) => {
                bench.problem = Some(error.to_string());
                return bench;
            }
        };
        let made = match prepare(&calls, hook, options) {
            Ok(made) => made,
            Err(problem) => {
                bench.problem = Some(problem);
                return bench;
            }
        };
        let warm = Instant::now() + share.div_f64(5.0);
        let mut started = None;
        'time: loop {
            for (call, present) in &made {
                store.set(present.clone());
                let begun = Instant::now();
                if begun >= warm && started.is_none() {
                    started = Some(begun);
                }
                let decision = host.decide(call.clone()).await;
                let took = begun.elapsed();
                if let Some(started) = started {
                    times.saturating_record(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX));
                    bench.failed += u64::from(decision.runs.iter().any(|run| run.failure.is_some()));
                    if started.elapsed() >= share {
                        spent += started.elapsed();
                        break 'time;
                    }
                }
            }
        }
        bench.memory = host.memory().await.into_iter().find(|(name, _)| name == hook).map(|(_, memory)| memory);
    }
    let ms = |nanoseconds: u64| nanoseconds as f64 / 1e6;
    bench.calls = times.len();
    bench.calls_per_second = bench.calls as f64 / spent.as_secs_f64().max(f64::MIN_POSITIVE);
    bench.p50_ms = ms(times.value_at_quantile(0.5));
    bench.p95_ms = ms(times.value_at_quantile(0.95));
    bench.p99_ms = ms(times.value_at_quantile(0.99));
    bench.max_ms = ms(times.max());
    bench
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
