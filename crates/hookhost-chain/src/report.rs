//! Tells the log and the audit sink what a chain does while it does it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hookhost_contract::{Action, CallContext, Decision, HookRun, Mode, Point};

use crate::{AuditRecord, AuditSink, Decided};

/// Reports on one decision.
pub(crate) struct Reporter<'a> {
    pub(crate) decision: &'a str,
    pub(crate) point: &'a Point,
    pub(crate) context: &'a CallContext,
    pub(crate) sink: Option<&'a dyn AuditSink>,
}

impl Reporter<'_> {
    /// A hook logged a line. It is a field, which subscribers write with its line ends escaped: a hook must not be able to
    /// forge a line of the host's log.
    pub(crate) fn logged(&self, hook: &str, line: &str) {
        tracing::info!(
            target: "hookhost::log",
            decision = self.decision,
            hook,
            point = self.point.as_str(),
            line,
            "a hook logged"
        );
    }

    /// A hook answered. A plain allow is the normal case, and not reported.
    pub(crate) fn answered(&self, run: &HookRun) {
        if run.action == Action::Allow && run.failure.is_none() {
            return;
        }
        self.report(&AuditRecord {
            hook: Some(&run.hook),
            reason: run.reason.as_deref(),
            note: run.note.as_deref(),
            failure: run.failure.as_ref(),
            changed: run.changed,
            dropped: &run.dropped,
            duration_ms: run.duration_ms,
            ..self.record(run.action, run.mode)
        });
    }

    /// The call was refused before any hook was asked.
    pub(crate) fn refused(&self, reason: &str) {
        self.report(&AuditRecord { reason: Some(reason), ..self.record(Action::Block, Mode::Enforce) });
    }

    /// The decision has been made.
    pub(crate) fn decided(&self, decision: &Decision, only_hook: Option<&str>) {
        let decided = Decided { decision, context: self.context, only_hook };
        self.tell(|sink| sink.decided(&decided));
    }

    fn record(&self, action: Action, mode: Mode) -> AuditRecord<'_> {
        AuditRecord {
            event: "guardrail_decision",
            time: format!("{:.3}", jiff::Timestamp::now()),
            decision: self.decision,
            hook: None,
            point: self.point,
            action,
            reason: None,
            note: None,
            failure: None,
            mode,
            changed: false,
            dropped: &[],
            duration_ms: 0.0,
            caller_user_id: self.context.caller.as_ref().and_then(|caller| caller.user_id.as_deref()),
            session_id: self.context.session_id.as_deref(),
            turn_id: self.context.turn_id.as_deref(),
        }
    }

    fn report(&self, record: &AuditRecord<'_>) {
        trace(record);
        self.tell(|sink| sink.record(record));
    }

    fn tell(&self, tell: impl FnOnce(&dyn AuditSink)) {
        if let Some(sink) = self.sink
            // The embedder's code: whatever it does, the decision stands.
            && catch_unwind(AssertUnwindSafe(|| tell(sink))).is_err()
        {
            tracing::error!(
                target: "hookhost::audit",
                decision = self.decision,
                "the audit sink panicked: a record is lost"
            );
        }
    }
}

fn trace(record: &AuditRecord<'_>) {
    let failure = record.failure.map(ToString::to_string);
    // The level of an event is fixed where it is written.
    macro_rules! event {
        ($level:expr) => {
            tracing::event!(
                target: "hookhost::guardrail",
                $level,
                decision = record.decision,
                hook = record.hook,
                point = record.point.as_str(),
                action = record.action.as_str(),
                reason = record.reason,
                note = record.note,
                cause = record.failure.map(|failure| failure.cause.as_str()),
                failure = failure.as_deref(),
                dropped = (!record.dropped.is_empty()).then(|| tracing::field::debug(record.dropped)),
                mode = record.mode.as_str(),
                "guardrail_decision"
            )
        };
    }
    // A hook that failed, or meant to change what it may not, needs its author's attention.
    if record.action == Action::Block || record.failure.is_some() || !record.dropped.is_empty() {
        event!(tracing::Level::WARN);
    } else {
        event!(tracing::Level::INFO);
    }
}
