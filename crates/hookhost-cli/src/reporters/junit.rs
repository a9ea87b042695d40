//! JUnit XML, which every CI reads.

use std::time::Duration;

use hookhost_testkit::{FileReport, FixtureReport, Status, TestReport};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::details::{path, plain_details};

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
    all.to_string()
}

fn suite(file: &FileReport) -> TestSuite {
    let mut suite = TestSuite::new(path(file));
    suite.set_time(ms(file.fixtures.iter().map(|fixture| fixture.duration_ms).sum()));
    if let Some(problem) = &file.error {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(problem.message.as_str());
        let mut case = TestCase::new("the file can be read", status);
        locate(&mut case, file, problem.line);
        suite.add_test_case(case);
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
            status.set_message(headline(fixture));
            status.set_description(plain_details(fixture));
            status
        }
    };
    let mut case = TestCase::new(fixture.name.as_str(), status);
    case.set_classname(fixture.hook.as_deref().unwrap_or("chain"));
    case.set_time(ms(fixture.duration_ms));
    locate(&mut case, file, Some(fixture.line));
    case
}

/// What is wrong, in a line.
pub(super) fn headline(fixture: &FixtureReport) -> String {
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

fn locate(case: &mut TestCase, file: &FileReport, line: Option<usize>) {
    case.extra.insert("file".into(), path(file).into());
    if let Some(line) = line {
        case.extra.insert("line".into(), line.to_string().into());
    }
}

fn ms(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default()
}
