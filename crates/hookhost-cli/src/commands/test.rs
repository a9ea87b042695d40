//! `hookhost test`: runs fixtures.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hookhost::{CoverageSink, FileCoverage, exit};
use hookhost_testkit::{CoverageReport, TestOptions, TestReport, find_fixtures, lcov, update_fixtures};
use serde::Serialize;

use super::rerun::Rerun;
use super::{block_on, fixtures};
use crate::args::{Format, Global, Test};
use crate::output::{self, Outcome, Problem};
use crate::reporters;

pub(crate) fn test(global: &Global, test: &Test) -> Result<Outcome, Problem> {
    let mut options = fixtures::options(global, &test.given)?;
    options.jobs = test.jobs.unwrap_or(0);
    options.fail_fast = test.fail_fast;
    if test.watch {
        return watch(global, test, &options);
    }
    let sink = is_covering(test).then(|| Arc::new(CoverageSink::new()));
    options.coverage.clone_from(&sink);
    let found = match test.is_replay() {
        true => find_fixtures(&recordings(test), Some(global.project()))
            .map_err(|error| Problem::usage(error.to_string()))?,
        false => fixtures::find(global, &test.given)?,
    };
    let mut report = block_on(fixtures::run(found.clone(), &options, global.format))?;
    fixtures::expect_some(&report, &test.given)?;
    if test.update && update(&report) {
        // What is told is how things are now.
        report = block_on(fixtures::run(found, &options, global.format))?;
    }
    let coverage = sink.map(|sink| coverage(test, &sink.files())).transpose()?;
    finish(global, test, &report, coverage)
}

/// The files of recorded calls: a folder of `run --record` has one.
fn recordings(test: &Test) -> Vec<PathBuf> {
    let file = |path: &PathBuf| Some(path.join("calls.jsonl")).filter(|file| file.is_file());
    test.replay.iter().map(|path| file(path).unwrap_or_else(|| path.clone())).collect()
}

/// Runs everything, and then what a change touches, until somebody ends it.
fn watch(global: &Global, test: &Test, options: &TestOptions) -> Result<Outcome, Problem> {
    block_on(async {
        let mut rerun = Rerun::begin(global, &test.given)?;
        let report = fixtures::run(fixtures::find(global, &test.given)?, options, global.format).await;
        rerun.show(&report)?;
        while let Some(changed) = rerun.changed().await {
            rerun.run(&changed, options).await?;
        }
        Ok(Outcome { text: String::new(), code: exit::OK })
    })?
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

/// True if a file was written.
fn update(report: &TestReport) -> bool {
    let mut has_written = false;
    for updated in update_fixtures(report) {
        match updated {
            Ok(updated) => {
                has_written = true;
                let calls = if updated.calls == 1 { "1 call".to_owned() } else { format!("{} calls", updated.calls) };
                let file = updated.file.display();
                output::note(&format!("wrote what came of {calls} into {file}: read the difference"));
            }
            Err(error) => output::complain_of(&error.to_string()),
        }
    }
    has_written
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
        Format::Human => Outcome { text: reporters::human(report, test.is_replay(), test.verbose), code },
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
    if coverage.files.is_empty() {
        return vec!["no file of a hook was loaded, so nothing is covered".to_owned()];
    }
    let files = coverage.files.iter().filter(|file| file.lines.percent < least);
    files
        .map(|file| {
            let percent = reporters::shown_percent(file.lines.percent);
            format!("{}: {percent:.1} % of its lines are covered, and {least} % should be", file.file)
        })
        .collect()
}

/// Writes a report, and the folders above it.
fn write(path: &Path, text: &str) -> Result<(), Problem> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
    written.map_err(|error| Problem::failed(format!("cannot write {}: {error}", path.display())))
}
