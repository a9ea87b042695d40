//! `hookhost check`: what is wrong with a project's hooks.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use hookhost::{Diagnostic, Failure, HookHost, HookState, HostReport, Severity, exit};
use serde::Serialize;

use super::{block_on, no_hooks};
use crate::args::{Check, Format, Global};
use crate::output::{Outcome, Problem};
use crate::plain::plain;
use crate::style::{self, paint};

/// What `check` found.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Findings {
    ok: bool,
    /// Hooks that are fine.
    hooks: usize,
    /// Hooks that are switched off; they are not started.
    disabled: usize,
    /// What is wrong on disk.
    problems: Vec<Diagnostic>,
    /// Hooks that are fine on disk and cannot be started.
    failing: Vec<FailingHook>,
}

#[derive(Serialize)]
struct FailingHook {
    hook: String,
    /// Relative to the project where it lies inside.
    #[serde(serialize_with = "as_text")]
    folder: PathBuf,
    failure: Failure,
}

/// A path that is no Unicode is still shown.
fn as_text<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

pub(crate) fn check(global: &Global, check: &Check) -> Result<Outcome, Problem> {
    let findings = if check.strict { strict(global)? } else { full(global)? };
    let code = if findings.ok { exit::OK } else { exit::FAILED };
    match global.format {
        Format::Json => Outcome::json(&findings, code),
        Format::Human => Ok(Outcome { text: human(&findings, global.project()), code }),
    }
}

/// The deploy check: manifests and handlers of local folders.
fn strict(global: &Global) -> Result<Findings, Problem> {
    let project = hookhost::load_project(global.project()).map_err(|error| Problem::failed(error.to_string()))?;
    let problems: Vec<_> = project.report.strict_errors().cloned().collect();
    let disabled = project.hooks.iter().filter(|hook| hook.disabled).count();
    let hooks = project.hooks.len() - disabled;
    Ok(Findings { ok: problems.is_empty(), hooks, disabled, problems, failing: Vec::new() })
}

/// Everything: what is on disk, and whether each hook can be started.
fn full(global: &Global) -> Result<Findings, Problem> {
    let host =
        block_on(HookHost::builder().project(global.project()).sandbox(global.sandbox).tier(global.tier).build())?
            .map_err(|error| Problem::failed(error.to_string()))?;
    let HostReport { hooks, load, .. } = host.report();
    let root = dunce::canonicalize(global.project()).unwrap_or_default();
    let failing: Vec<_> = hooks
        .iter()
        .filter_map(|hook| match &hook.state {
            HookState::Failing { failure } => Some(FailingHook {
                hook: hook.name.clone(),
                folder: hook.folder.strip_prefix(&root).unwrap_or(&hook.folder).to_owned(),
                failure: failure.clone(),
            }),
            _ => None,
        })
        .collect();
    let ok = failing.is_empty() && !load.has_findings();
    let disabled = hooks.iter().filter(|hook| hook.state == HookState::Disabled).count();
    let fine = hooks.len() - disabled - failing.len();
    Ok(Findings { ok, hooks: fine, disabled, problems: load.diagnostics, failing })
}

fn human(findings: &Findings, project: &Path) -> String {
    let mut text = String::new();
    for problem in &findings.problems {
        let label = match problem.severity {
            Severity::Error => paint(style::BAD, "error:"),
            Severity::Warning => paint(style::WARN, "warning:"),
            _ => paint(style::NOTE, "note:"),
        };
        let _ = writeln!(text, "{label} {problem}");
    }
    for FailingHook { hook, folder, failure } in &findings.failing {
        let place = failure.at.as_ref().map_or_else(|| folder.clone(), |at| folder.join(at));
        let _ = writeln!(
            text,
            "{} {}: hook `{hook}` cannot be started, so every call of it is decided by its fail policy: {}",
            paint(style::BAD, "error:"),
            plain(&place.display().to_string(), ""),
            plain(&failure.message, "  ")
        );
    }
    if findings.ok && findings.hooks + findings.disabled == 0 {
        let _ = writeln!(text, "{}", no_hooks(project));
        return text;
    }
    let mut fine = match findings.hooks {
        1 => "1 hook is fine".to_owned(),
        count => format!("{count} hooks are fine"),
    };
    if findings.disabled > 0 {
        let _ = write!(fine, ", {} switched off", findings.disabled);
    }
    let notes = findings.problems.iter().filter(|problem| problem.severity == Severity::Lint).count();
    let _ = match findings.problems.len() - notes + findings.failing.len() {
        0 => writeln!(text, "{}", paint(style::GOOD, fine)),
        1 => writeln!(text, "{fine}; {}", paint(style::BAD, "1 problem")),
        count => writeln!(text, "{fine}; {}", paint(style::BAD, format!("{count} problems"))),
    };
    text
}
