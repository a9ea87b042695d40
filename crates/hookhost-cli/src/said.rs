//! What a hook said, in a line.

use hookhost::{Action, HookRun};

/// Why a hook answered as it did: its failure, its reason, or its note.
pub(crate) fn why(run: &HookRun) -> String {
    let mut parts = Vec::new();
    if let Some(failure) = &run.failure {
        parts.push(format!("failed: {failure}"));
    } else if let Some(reason) = run.reason.as_ref().or(run.note.as_ref()) {
        parts.push(reason.clone());
    }
    if run.action == Action::Modify && !run.changed && run.failure.is_none() {
        parts.push("changed nothing".to_owned());
    }
    if !run.dropped.is_empty() {
        parts.push(format!("may not change {}", run.dropped.join(", ")));
    }
    parts.join("; ")
}
