//! What is wrong with one fixture, in lines that a newcomer understands.

use std::fmt::Write;

use hookhost_testkit::{DiffLine, FileReport, FixtureReport, Mismatch, Side, Status, StepReport};

use crate::plain::plain;
use crate::said::why;
use crate::style::{self, paint};

/// Where a fixture is: `file:line`.
pub(super) fn place(file: &FileReport, line: usize) -> String {
    format!("{}:{line}", plain(&path(file), ""))
}

/// The file, as all systems write it.
pub(super) fn path(file: &FileReport) -> String {
    let text = file.file.display().to_string();
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// What was expected and what was found, with the logs and the answers of the hooks. With colours.
pub(super) fn details(fixture: &FixtureReport) -> String {
    let mut text = String::new();
    if let Some(error) = &fixture.error {
        let _ = writeln!(text, "  {}", plain(error, "  "));
    }
    for step in &fixture.steps {
        let is_told = !step.mismatches.is_empty() || fixture.status == Status::Error;
        if !is_told {
            continue;
        }
        if let Some(name) = &step.name {
            let _ = writeln!(text, "  {}", paint(style::STRONG, plain(name, "  ")));
        }
        // What is otherwise follows from a hook that failed, where nobody expected that.
        let has_failed = step.mismatches.iter().any(|mismatch| mismatch.key == "failure");
        for mismatch in step.mismatches.iter().filter(|mismatch| !has_failed || mismatch.key == "failure") {
            difference(&mut text, mismatch);
        }
        circumstances(&mut text, step, has_failed);
    }
    text
}

fn difference(text: &mut String, mismatch: &Mismatch) {
    let Mismatch { key, expected, found, diff, .. } = mismatch;
    if diff.is_empty() {
        let _ = writeln!(text, "  {key:<9} expected  {}", paint(style::GOOD, plain(expected, &" ".repeat(22))));
        let _ = writeln!(text, "  {:<9} found     {}", "", paint(style::BAD, plain(found, &" ".repeat(22))));
        return;
    }
    let _ = writeln!(text, "  {key:<9} {}  {}", paint(style::GOOD, "- expected"), paint(style::BAD, "+ found"));
    for line in diff {
        let _ = writeln!(text, "            {}", diff_line(line));
    }
}

fn diff_line(line: &DiffLine) -> String {
    let shown = plain(&line.text, "");
    match line.side {
        Side::Expected => paint(style::GOOD, format!("- {shown}")),
        Side::Found => paint(style::BAD, format!("+ {shown}")),
        Side::Gap => paint(style::DIM, "..."),
        _ => format!("  {shown}"),
    }
}

/// Who was asked and what the hooks logged: often that is where the reason is.
fn circumstances(text: &mut String, step: &StepReport, failures_are_told: bool) {
    for run in step.decision.runs.iter().filter(|run| !failures_are_told || run.failure.is_none()) {
        let why = why(run);
        let said = if why.is_empty() { run.action.to_string() } else { format!("{}: {why}", run.action) };
        let _ = writeln!(
            text,
            "  {}  {} {}",
            paint(style::DIM, "asked    "),
            plain(&run.hook, ""),
            plain(&said, &" ".repeat(12))
        );
    }
    for log in &step.decision.logs {
        let _ = writeln!(
            text,
            "  {}  {}: {}",
            paint(style::DIM, "logged   "),
            plain(&log.hook, ""),
            plain(&log.message, &" ".repeat(12))
        );
    }
}

/// The same without colours, for files.
pub(super) fn plain_details(fixture: &FixtureReport) -> String {
    anstream::adapter::strip_str(&details(fixture)).to_string()
}
