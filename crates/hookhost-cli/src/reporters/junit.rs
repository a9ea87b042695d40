//! JUnit XML, which every CI reads: as Jenkins's schema (`junit-10.xsd`) has it, the one that is written down.

use std::time::Duration;

use hookhost_testkit::{FileReport, FixtureReport, Status, TestReport};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::details::{path, place, plain_details};

/// A suite for each file, a case for each fixture.
pub(crate) fn junit(report: &TestReport) -> Result<String, quick_junit::SerializeError> {
    let mut all = Report::new("hookhost");
    all.set_time(ms(report.duration_ms));
    for file in &report.files {
        all.add_test_suite(suite(file));
    }
    if !report.problems.is_empty() {
        let mut suite = TestSuite::new("project");
        for problem in &report.problems {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(problem.as_str());
            suite.add_test_case(TestCase::new("the project can be loaded", status));
        }
        all.add_test_suite(suite);
    }
    Ok(without_skipped(&all.to_string()?))
}

/// The sum of what was skipped is not part of the root, for those who hold to the schema; the suites have it.
fn without_skipped(xml: &str) -> String {
    let Some(start) = xml.find("<testsuites ") else { return xml.to_owned() };
    let end = xml[start..].find('>').map_or(xml.len(), |end| start + end);
    let root: Vec<_> = xml[start..end].split(' ').filter(|part| !part.starts_with("skipped=")).collect();
    format!("{}{}{}", &xml[..start], root.join(" "), &xml[end..])
}

fn suite(file: &FileReport) -> TestSuite {
    let mut suite = TestSuite::new(path(file));
    suite.extra.insert("file".into(), path(file).into());
    suite.set_time(ms(file.fixtures.iter().map(|fixture| fixture.duration_ms).sum()));
    if let Some(problem) = &file.error {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        let place = problem.line.map_or_else(|| path(file), |line| place(file, line));
        status.set_message(format!("{place}: {}", problem.message));
        suite.add_test_case(TestCase::new("the file can be read", status));
    }
    for fixture in &file.fixtures {
        suite.add_test_case(case(file, fixture));
    }
    suite
}

fn case(file: &FileReport, fixture: &FixtureReport) -> TestCase {
    let status = match fixture.status {
        Status::Passed => TestCaseStatus::success(),
        Status::Skipped => TestCaseStatus::skipped(),
        status => {
            let is_failure = status == Status::Failed;
            let kind = if is_failure { NonSuccessKind::Failure } else { NonSuccessKind::Error };
            let mut status = TestCaseStatus::non_success(kind);
            status.set_message(format!("{}: {}", place(file, fixture.line), headline(fixture)));
            status.set_description(plain_details(fixture));
            status
        }
    };
    let mut case = TestCase::new(fixture.name.as_str(), status);
    case.set_classname(fixture.hook.as_deref().unwrap_or("chain"));
    case.set_time(ms(fixture.duration_ms));
    case
}

/// What is wrong, in a line.
fn headline(fixture: &FixtureReport) -> String {
    if let Some(error) = &fixture.error {
        return error.clone();
    }
    let mismatches = fixture.steps.iter().flat_map(|step| &step.mismatches);
    let lines: Vec<_> = mismatches
        .map(|mismatch| match mismatch.diff.is_empty() {
            true => format!("{}: expected {}, found {}", mismatch.key, mismatch.expected, mismatch.found),
            false => format!("{}: differs", mismatch.key),
        })
        .collect();
    lines.join("; ")
}

fn ms(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default()
}
