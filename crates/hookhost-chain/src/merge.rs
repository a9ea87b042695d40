//! Many answers, one decision.

use std::sync::Arc;
use std::time::Duration;

use hookhost_contract::{
    Action, Approval, Decision, Failure, HookLog, HookMessage, HookRun, Injection, JsonObject, Mode, Point,
};

use crate::ChainHook;
use crate::judge::{Ruling, Verdict};
use crate::modify::same_fields;
use crate::payload::Payload;

/// A decision in the making.
#[derive(Debug)]
pub(crate) struct Merge {
    point: Point,
    input: JsonObject,
    payload: Payload,
    lead: Option<Lead>,
    runs: Vec<HookRun>,
    logs: Vec<HookLog>,
    messages: Vec<HookMessage>,
    injections: Vec<Injection>,
}

/// The answer that the decision follows so far.
#[derive(Debug)]
struct Lead {
    action: Action,
    hook: Option<String>,
    reason: Option<String>,
    approval: Option<Approval>,
}

impl Merge {
    pub(crate) fn new(point: Point, input: JsonObject) -> Self {
        Self {
            point,
            payload: Payload::new(input.clone()),
            input,
            lead: None,
            runs: Vec::new(),
            logs: Vec::new(),
            messages: Vec::new(),
            injections: Vec::new(),
        }
    }

    /// The payload as the hooks so far left it.
    pub(crate) fn payload(&self) -> &JsonObject {
        self.payload.fields()
    }

    /// The same, as text.
    pub(crate) fn payload_text(&mut self) -> Result<Arc<str>, Failure> {
        self.payload.text()
    }

    /// True once nothing that a later hook answers can matter.
    pub(crate) fn is_blocked(&self) -> bool {
        self.lead.as_ref().is_some_and(|lead| lead.action == Action::Block)
    }

    /// Keeps a line that a hook logged.
    pub(crate) fn log(&mut self, hook: &ChainHook, message: String) {
        self.logs.push(HookLog { hook: hook.name.clone(), message });
    }

    /// Adds one hook's answer and returns its record.
    pub(crate) fn add(&mut self, hook: &ChainHook, verdict: Verdict, duration: Duration) -> HookRun {
        let mut run = record(hook, &verdict, duration);
        if hook.mode == Mode::Enforce {
            self.messages.extend(verdict.message.map(|message| HookMessage {
                hook: hook.name.clone(),
                text: message.text,
                level: message.level,
            }));
            // What is over can be neither stopped nor changed.
            if self.point != Point::PostTurn {
                run.rewrote = self.obey(&hook.name, verdict.ruling);
                run.changed = run.rewrote.is_some();
            }
        }
        self.runs.push(run.clone());
        run
    }

    /// Lets a ruling take effect. Returns what it changed in the payload, if it did.
    fn obey(&mut self, hook: &str, ruling: Ruling) -> Option<JsonObject> {
        let action = ruling.action();
        let mut rewrote = None;
        let (reason, approval) = match ruling {
            Ruling::Allow => return None,
            Ruling::Modify { rewrite, .. } => {
                if rewrite.changes.is_empty() {
                    return None;
                }
                self.payload.rewrite(rewrite.changes.clone());
                rewrote = Some(rewrite.changes);
                (None, None)
            }
            Ruling::Inject(injection) => {
                self.injections.push(injection);
                (None, None)
            }
            Ruling::Ask { reason, approval } => (Some(reason), Some(approval)),
            Ruling::Block { reason } => (Some(reason), None),
        };
        // The first of equals leads.
        if self.lead.as_ref().is_none_or(|lead| action > lead.action) {
            self.lead = Some(Lead { action, hook: Some(hook.to_owned()), reason, approval });
        }
        rewrote
    }

    /// The decision that no hook made: the call cannot be judged as it was asked.
    pub(crate) fn refuse(mut self, id: String, reason: String) -> Decision {
        self.lead = Some(Lead { action: Action::Block, hook: None, reason: Some(reason), approval: None });
        self.finish(id)
    }

    /// The decision that the answers make, under the name `id`.
    pub(crate) fn finish(self, id: String) -> Decision {
        let output = self.payload.into_fields();
        let lead = self
            .lead
            // A change that a later hook took back leaves nothing that the loop could act on.
            .filter(|lead| lead.action != Action::Modify || !same_fields(&self.input, &output))
            .unwrap_or(Lead { action: Action::Allow, hook: None, reason: None, approval: None });
        Decision {
            id,
            point: self.point,
            action: lead.action,
            reason: lead.reason,
            hook: lead.hook,
            input: self.input,
            output,
            runs: self.runs,
            logs: self.logs,
            messages: self.messages,
            injections: self.injections,
            approval: lead.approval,
        }
    }
}

/// What the hook answered, whether or not it counts. Only `changed` and `rewrote` depend on that.
fn record(hook: &ChainHook, verdict: &Verdict, duration: Duration) -> HookRun {
    let mut run = HookRun {
        hook: hook.name.clone(),
        action: verdict.ruling.action(),
        reason: None,
        note: None,
        duration_ms: (duration.as_secs_f64() * 1e6).round() / 1e3,
        failure: verdict.failure.clone(),
        changed: false,
        rewrote: None,
        dropped: Vec::new(),
        mode: hook.mode,
    };
    match &verdict.ruling {
        Ruling::Allow | Ruling::Inject(_) => {}
        Ruling::Modify { rewrite, note } => {
            run.note.clone_from(note);
            run.dropped.clone_from(&rewrite.dropped);
        }
        Ruling::Ask { reason, .. } | Ruling::Block { reason } => run.reason = Some(reason.clone()),
    }
    run
}
