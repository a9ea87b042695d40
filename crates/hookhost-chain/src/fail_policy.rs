//! What a failing hook means. The only place that knows.

use hookhost_contract::FailPolicy;

use crate::judge::Ruling;

/// What the failure of the hook named `hook` means under `policy`.
pub(crate) fn on_failure(hook: &str, policy: FailPolicy) -> Ruling {
    match policy {
        FailPolicy::Closed => Ruling::Block { reason: format!("Hook \"{hook}\" failed (fail-closed)") },
        FailPolicy::Open => Ruling::Allow,
    }
}
