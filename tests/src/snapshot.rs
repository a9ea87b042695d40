//! Compares what came of a case with its `expect.snap`.

use crate::{Case, Redactor};

/// Compares the decisions, each as the JSON that `hookhost run --format json` prints, with the case's `expect.snap`.
pub fn assert_decisions(case: &Case, decisions: &[String]) {
    let redactor = Redactor::new();
    let texts: Vec<_> = decisions.iter().map(|text| redactor.redact(text.trim_end())).collect();
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(&case.folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("expect", texts.join("\n")));
}
