//! For people: a line for each file, then what is wrong, then the sum.

use std::fmt::Write;

use hookhost_testkit::{FileReport, FixtureReport, Status, TestReport};

use super::details::{details, path, place};
use crate::plain::plain;
use crate::style::{self, paint};

/// How many of the slowest hooks are named.
const SLOWEST: usize = 3;

/// `is_replay`: the fixtures are recorded calls, and what differs has changed since.
/// `is_verbose`: those that passed are named too.
pub(crate) fn human(report: &TestReport, is_replay: bool, is_verbose: bool) -> String {
    let mut text = String::new();
    for file in &report.files {
        file_line(&mut text, file);
        if is_verbose {
            file.fixtures.iter().for_each(|fixture| fixture_line(&mut text, fixture));
        }
    }
    for file in &report.files {
        if let Some(problem) = &file.error {
            let place = problem.line.map_or_else(|| plain(&path(file), ""), |line| place(file, line));
            let _ = writeln!(text, "\n{} {}", paint(style::BAD, "ERROR"), paint(style::STRONG, place));
            let _ = writeln!(text, "  {}", plain(&problem.message, "  "));
        }
        for fixture in &file.fixtures {
            let word = match fixture.status {
                Status::Failed if is_replay => "CHANGED",
                Status::Failed => "FAILED",
                Status::Error => "ERROR",
                _ => continue,
            };
            let _ = writeln!(
                text,
                "\n{} {}  {}",
                paint(style::BAD, word),
                paint(style::STRONG, place(file, fixture.line)),
                plain(&fixture.name, "  ")
            );
            text.push_str(&details(fixture));
        }
    }
    for problem in &report.problems {
        let _ = writeln!(text, "\n{} {}", paint(style::BAD, "ERROR"), plain(problem, "  "));
    }
    text.push('\n');
    text.push_str(&summary(report, is_replay));
    slowest(&mut text, report);
    text
}

fn file_line(text: &mut String, file: &FileReport) {
    let is_bad = |fixture: &&FixtureReport| matches!(fixture.status, Status::Failed | Status::Error);
    let bad = file.fixtures.iter().filter(is_bad).count();
    let skipped = file.fixtures.iter().filter(|fixture| fixture.status == Status::Skipped).count();
    let good = file.fixtures.len() - bad - skipped;
    if file.fixtures.is_empty() && file.error.is_none() {
        return;
    }
    let word = match () {
        () if bad > 0 || file.error.is_some() => paint(style::BAD, "FAIL"),
        () if good == 0 => paint(style::DIM, "skip"),
        () => paint(style::GOOD, "  ok"),
    };
    // A sum of nothing is -0.
    let time = file.fixtures.iter().map(|fixture| fixture.duration_ms).sum::<f64>() + 0.0;
    let count = match bad {
        0 => format!("{good}"),
        _ => format!("{good} of {}", file.fixtures.len()),
    };
    let _ = writeln!(
        text,
        "{word} {}  {}",
        plain(&path(file), ""),
        paint(style::DIM, format!("{count} passed, {time:.1} ms"))
    );
}

fn fixture_line(text: &mut String, fixture: &FixtureReport) {
    let (style, word) = match fixture.status {
        Status::Passed => (style::GOOD, "ok"),
        Status::Skipped => (style::DIM, "skip"),
        _ => (style::BAD, "FAIL"),
    };
    let name = plain(&fixture.name, "       ");
    let time = paint(style::DIM, format!("{:.1} ms", fixture.duration_ms));
    let _ = writeln!(text, "  {}  {name}  {time}", paint(style, format!("{word:>4}")));
    for log in fixture.steps.iter().flat_map(|step| &step.decision.logs) {
        let line = format!("{}: {}", plain(&log.hook, ""), plain(&log.message, "          "));
        let _ = writeln!(text, "        {}", paint(style::DIM, line));
    }
}

/// The sum in one line.
fn summary(report: &TestReport, is_replay: bool) -> String {
    let (passed, failed) = if is_replay { ("as recorded", "changed") } else { ("passed", "failed") };
    let mut parts = vec![paint(style::GOOD, format!("{} {passed}", report.passed))];
    for (count, word) in [(report.failed, failed), (report.errors, if report.errors == 1 { "error" } else { "errors" })]
    {
        if count > 0 {
            parts.push(paint(style::BAD, format!("{count} {word}")));
        }
    }
    if report.skipped > 0 {
        parts.push(paint(style::WARN, format!("{} not run", report.skipped)));
    }
    if !report.problems.is_empty() {
        parts.push(paint(style::BAD, "the project has problems"));
    }
    format!("{} in {}\n", parts.join(", "), seconds(report.duration_ms))
}

fn seconds(ms: f64) -> String {
    if ms < 1000.0 { format!("{ms:.0} ms") } else { format!("{:.1} s", ms / 1000.0) }
}

fn slowest(text: &mut String, report: &TestReport) {
    let names: Vec<_> = report
        .hooks
        .iter()
        .take(SLOWEST)
        .map(|hook| format!("{} {:.1} ms", plain(&hook.hook, ""), hook.median_ms))
        .collect();
    if !names.is_empty() {
        let _ = writeln!(text, "{}", paint(style::DIM, format!("slowest hooks (median): {}", names.join(", "))));
    }
}
