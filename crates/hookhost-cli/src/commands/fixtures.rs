//! What the commands that run fixtures have in common.

use std::path::PathBuf;
use std::time::Duration;

use hookhost_testkit::{Filter, FoundFile, Progress, TestOptions, TestReport, find_fixtures, open_store, run_fixtures};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{Fixtures, Format, Global};
use crate::output::Problem;

/// A run that is shorter needs no progress line.
const LONG: Duration = Duration::from_millis(500);

/// How the command line wants fixtures to be run.
pub(super) fn options(global: &Global, given: &Fixtures) -> Result<TestOptions, Problem> {
    let mut options = TestOptions::default();
    options.sandbox = global.sandbox;
    options.tier = global.tier;
    for variable in &given.env {
        match variable.split_once('=') {
            Some((name, value)) => options.env.insert(name.to_owned(), value.to_owned()),
            None => std::env::var(variable).ok().and_then(|value| options.env.insert(variable.clone(), value)),
        };
    }
    if let Some(store) = &given.store {
        options.store = Some(open_store(store).map_err(|error| Problem::usage(format!("the store {error}")))?);
    }
    if let Some(filter) = &given.filter {
        let filter = Filter::parse(filter)
            .map_err(|error| Problem::usage(format!("--filter {filter} is no regular expression: {error}")))?;
        options.filter = Some(filter);
    }
    Ok(options)
}

/// Where the command line looks for fixtures.
pub(super) fn places(global: &Global, given: &Fixtures) -> Vec<PathBuf> {
    if given.paths.is_empty() { vec![global.project().to_owned()] } else { given.paths.clone() }
}

/// The fixture files that the command line means: at least one.
pub(super) fn find(global: &Global, given: &Fixtures) -> Result<Vec<FoundFile>, Problem> {
    let places = places(global, given);
    let found = find_fixtures(&places, global.named_project()).map_err(|error| Problem::usage(error.to_string()))?;
    if found.is_empty() {
        let places: Vec<_> = places.iter().map(|path| path.display().to_string()).collect();
        return Err(Problem::failed(format!(
            "no fixtures in {}: write hooks/<name>/<name>.fixture.json, or begin with `hookhost new NAME`",
            places.join(", ")
        )));
    }
    Ok(found)
}

/// Runs fixtures, with a progress line where somebody may be waiting.
pub(super) async fn run(found: Vec<FoundFile>, options: &TestOptions, format: Format) -> TestReport {
    let progress = Progress::default();
    let run = run_fixtures(found, options, &progress);
    tokio::pin!(run);
    let target = match format {
        // indicatif draws on a terminal only.
        Format::Human => ProgressDrawTarget::stderr(),
        Format::Json => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} fixtures{msg}, {elapsed}") {
        bar.set_style(style);
    }
    let mut tick = tokio::time::interval_at(tokio::time::Instant::now() + LONG, Duration::from_millis(100));
    loop {
        tokio::select! {
            report = &mut run => {
                bar.finish_and_clear();
                return report;
            }
            _ = tick.tick() => {
                let (total, done, failed) = progress.now();
                bar.set_length(total as u64);
                bar.set_position(done as u64);
                if failed > 0 {
                    bar.set_message(format!(", {failed} failed"));
                }
            }
        }
    }
}

/// An empty run says nothing.
pub(super) fn expect_some(report: &TestReport, given: &Fixtures) -> Result<(), Problem> {
    if report.passed + report.failed + report.errors > 0 || !report.problems.is_empty() {
        return Ok(());
    }
    Err(Problem::failed(match &given.filter {
        Some(filter) => format!("no fixture fits the filter `{filter}`: {} were left out", report.skipped),
        None => "the fixture files are empty: a run of no fixtures says nothing".to_owned(),
    }))
}
