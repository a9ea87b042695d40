//! `hookhost test`: runs fixtures.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hookhost::{CoverageSink, FileCoverage, exit};
use hookhost_testkit::{
    CoverageReport, Filter, FoundFile, Progress, TestOptions, TestReport, find_fixtures, lcov, open_store,
    run_fixtures, update_fixtures,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::block_on;
use crate::args::{Format, Global, Test};
use crate::output::{self, Outcome, Problem};
use crate::reporters;

/// A run that is shorter needs no progress line.
const LONG: Duration = Duration::from_millis(500);

pub(crate) fn test(global: &Global, test: &Test) -> Result<Outcome, Problem> {
    let mut options = options(global, test)?;
    let sink = is_covering(test).then(|| Arc::new(CoverageSink::new()));
    options.coverage.clone_from(&sink);
    let report = once(global, test, &options)?;
    if test.update {
        update(&report)?;
    }
    let coverage = sink.map(|sink| coverage(test, &sink.files())).transpose()?;
    finish(global, test, &report, coverage)
}

fn is_covering(test: &Test) -> bool {
    test.coverage || test.lcov.is_some() || test.min_coverage.is_some()
}

/// Writes what was covered as lcov, and says it.
fn coverage(test: &Test, files: &[FileCoverage]) -> Result<CoverageReport, Problem> {
    let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
    let path = test.lcov.as_deref().unwrap_or(Path::new("coverage/lcov.info"));
    write(path, &lcov(files, &here))?;
    Ok(CoverageReport::new(files, &here))
}

/// What a program reads.
#[derive(Serialize)]
struct Whole<'r> {
    #[serde(flatten)]
    report: &'r TestReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<&'r CoverageReport>,
}

/// How the command line wants fixtures to be run.
fn options(global: &Global, test: &Test) -> Result<TestOptions, Problem> {
    let mut options = TestOptions::default();
    options.sandbox = global.sandbox;
    options.tier = global.tier;
    options.jobs = test.jobs.unwrap_or(0);
    options.fail_fast = test.fail_fast;
    for variable in &test.env {
        match variable.split_once('=') {
            Some((name, value)) => options.env.insert(name.to_owned(), value.to_owned()),
            None => std::env::var(variable).ok().and_then(|value| options.env.insert(variable.clone(), value)),
        };
    }
    if let Some(store) = &test.store {
        options.store = Some(open_store(store).map_err(Problem::usage)?);
    }
    if let Some(filter) = &test.filter {
        let filter = Filter::parse(filter)
            .map_err(|error| Problem::usage(format!("--filter {filter} is no regular expression: {error}")))?;
        options.filter = Some(filter);
    }
    Ok(options)
}

/// The fixture files that the command line means.
fn find(global: &Global, test: &Test) -> Result<Vec<FoundFile>, Problem> {
    let project = [global.project().to_owned()];
    let paths: &[PathBuf] = if test.paths.is_empty() { &project } else { &test.paths };
    let found = find_fixtures(paths, global.named_project()).map_err(|error| Problem::usage(error.to_string()))?;
    if found.is_empty() {
        let places: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(Problem::failed(format!(
            "no fixtures in {}: write hooks/<name>/<name>.fixture.json, or begin with `hookhost new NAME`",
            places.join(", ")
        )));
    }
    Ok(found)
}

/// Runs everything once, with a progress line where somebody may be waiting.
fn once(global: &Global, test: &Test, options: &TestOptions) -> Result<TestReport, Problem> {
    let found = find(global, test)?;
    let report = block_on(watched(found, options, global.format))?;
    if report.passed + report.failed + report.errors == 0 && report.problems.is_empty() {
        return Err(Problem::failed(match &test.filter {
            Some(filter) => format!("no fixture fits the filter `{filter}`: {} were left out", report.skipped),
            None => "the fixture files are empty: a run of no fixtures says nothing".to_owned(),
        }));
    }
    Ok(report)
}

async fn watched(found: Vec<FoundFile>, options: &TestOptions, format: Format) -> TestReport {
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

fn update(report: &TestReport) -> Result<(), Problem> {
    for updated in update_fixtures(report).map_err(|error| Problem::failed(error.to_string()))? {
        let calls = if updated.calls == 1 { "1 call".to_owned() } else { format!("{} calls", updated.calls) };
        output::note(&format!("wrote what came of {calls} into {}: read the difference", updated.file.display()));
    }
    Ok(())
}

fn finish(
    global: &Global,
    test: &Test,
    report: &TestReport,
    coverage: Option<CoverageReport>,
) -> Result<Outcome, Problem> {
    if let Some(path) = &test.junit {
        let text = reporters::junit(report).map_err(|error| Problem::failed(format!("no JUnit report: {error}")))?;
        write(path, &text)?;
    }
    let too_little = coverage.as_ref().map(|coverage| too_little(test, coverage)).unwrap_or_default();
    let code = if report.ok && too_little.is_empty() { exit::OK } else { exit::FAILED };
    let mut outcome = match global.format {
        Format::Json => Outcome::json(&Whole { report, coverage: coverage.as_ref() }, code)?,
        Format::Human => Outcome { text: reporters::human(report), code },
    };
    if let (Format::Human, Some(coverage)) = (global.format, &coverage) {
        outcome.text.push_str(&reporters::coverage(coverage));
    }
    for problem in too_little {
        output::complain_of(&problem);
    }
    if test.github {
        let annotations = reporters::annotations(report);
        match global.format {
            Format::Human => outcome.text.push_str(&annotations),
            // GitHub reads both streams, and a program reads JSON on the other one.
            Format::Json => output::tell(&annotations),
        }
    }
    Ok(outcome)
}

/// The files of which too little is covered, in words.
fn too_little(test: &Test, coverage: &CoverageReport) -> Vec<String> {
    let Some(least) = test.min_coverage else { return Vec::new() };
    let files = coverage.files.iter().filter(|file| file.lines.percent < least);
    files
        .map(|file| {
            format!("{}: {:.1} % of its lines are covered, and {least} % should be", file.file, file.lines.percent)
        })
        .collect()
}

/// Writes a report, and the folders above it.
fn write(path: &Path, text: &str) -> Result<(), Problem> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
    written.map_err(|error| Problem::failed(format!("cannot write {}: {error}", path.display())))
}
