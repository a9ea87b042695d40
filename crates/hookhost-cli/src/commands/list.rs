//! `hookhost list`: the inventory. Nothing is started.

use std::fmt::Write;
use std::path::Path;

use hookhost::{HookState, HookStatus, HostReport, Mode, Origin, exit};

use super::no_hooks;
use crate::args::{Format, Global};
use crate::output::{Outcome, Problem};
use crate::style::{self, paint};

pub(crate) fn list(global: &Global) -> Result<Outcome, Problem> {
    let project = hookhost::load_project(global.project()).map_err(|error| Problem::failed(error.to_string()))?;
    let report = HostReport::of_project(&project, global.sandbox);
    match global.format {
        Format::Json => Outcome::json(&report, exit::OK),
        Format::Human => Ok(Outcome { text: human(&report, global.project()), code: exit::OK }),
    }
}

fn human(report: &HostReport, project: &Path) -> String {
    let mut text = String::new();
    if report.hooks.is_empty() {
        let _ = writeln!(text, "{}", no_hooks(project));
    } else {
        let mut table = style::table(&["hook", "points", "priority", "policy", "state", "from"]);
        for hook in &report.hooks {
            table.add_row([
                paint(style::STRONG, &hook.name),
                hook.points.iter().map(|point| point.as_str()).collect::<Vec<_>>().join(", "),
                hook.priority.to_string(),
                policy(hook),
                state(hook),
                origin(&hook.origin),
            ]);
        }
        text.push_str(&style::lines(&table));
    }
    for problem in report.load.warnings() {
        let _ = writeln!(text, "{} {problem}", paint(style::WARN, "warning:"));
    }
    text
}

/// One word if it holds everywhere; else what holds where.
fn policy(hook: &HookStatus) -> String {
    let mut policies = hook.fail_policy.values();
    match policies.next() {
        Some(first) if policies.all(|policy| policy == first) => first.to_string(),
        _ => {
            hook.fail_policy.iter().map(|(point, policy)| format!("{policy} at {point}")).collect::<Vec<_>>().join(", ")
        }
    }
}

fn state(hook: &HookStatus) -> String {
    match (&hook.state, hook.mode) {
        (HookState::Disabled, _) => paint(style::DIM, "disabled"),
        (_, Mode::Observe) => paint(style::NOTE, "observes"),
        _ => paint(style::GOOD, "enforces"),
    }
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Local => "hooks/".to_owned(),
        Origin::Package(name) => name.clone(),
    }
}
