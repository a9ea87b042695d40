//! Annotations of GitHub Actions: each failure stands at its line in the pull request.

use std::fmt::Write;

use hookhost_testkit::{Status, TestReport};

use super::details::{path, plain_details};

/// A workflow command for each fixture that failed, for each file that cannot be read, and for each problem of a project.
pub(crate) fn annotations(report: &TestReport) -> String {
    let mut text = String::new();
    for file in &report.files {
        if let Some(problem) = &file.error {
            error(&mut text, Some((&path(file), problem.line)), "fixture file", &problem.message);
        }
        for fixture in &file.fixtures {
            if matches!(fixture.status, Status::Failed | Status::Error) {
                error(
                    &mut text,
                    Some((&path(file), Some(fixture.line))),
                    &fixture.name,
                    plain_details(fixture).trim_end(),
                );
            }
        }
    }
    for problem in &report.problems {
        error(&mut text, None, "project", problem);
    }
    text
}

fn error(text: &mut String, place: Option<(&str, Option<usize>)>, title: &str, message: &str) {
    let mut properties = Vec::new();
    if let Some((file, line)) = place {
        properties.push(format!("file={}", property(file)));
        properties.extend(line.map(|line| format!("line={line}")));
    }
    properties.push(format!("title={}", property(title)));
    let _ = writeln!(text, "::error {}::{}", properties.join(","), data(message));
}

/// A fixture's own words must not become another command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::error;

    #[test]
    fn no_text_becomes_another_command() {
        let mut text = String::new();
        error(&mut text, Some(("a,b.json", Some(3))), "50%: x\n::set-env", "one\r\n::error::two");
        assert_eq!(text, "::error file=a%2Cb.json,line=3,title=50%25%3A x%0A%3A%3Aset-env::one%0D%0A::error::two\n");
    }
}
