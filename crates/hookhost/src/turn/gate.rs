//! What every point of a turn has in common: the hooks decide, and if they want that, a person does.

use hookhost_contract::{Action, Call, Decision, Injection, JsonObject, Mode};
use serde_json::Value;

use super::{Place, Refusal, RefusedBy};
use crate::approval::{AskedBy, Question, ask};

/// A payload that goes on.
pub(super) struct Passed {
    /// As the hooks left it.
    payload: JsonObject,
    field: &'static str,
    /// The hooks that changed it. Empty: it is as it came.
    pub(super) rewritten_by: Vec<String>,
    /// What the model is told beside it.
    pub(super) injections: Vec<Injection>,
    /// A person has allowed this very payload.
    pub(super) approved: bool,
}

impl Passed {
    /// The value that a hook may have changed: the text, the arguments, the result.
    pub(super) fn value(&mut self) -> Value {
        // The chain removes no field.
        self.payload.get_mut(self.field).map(Value::take).unwrap_or_default()
    }

    /// The same, where it is a text: the chain puts nothing else there.
    pub(super) fn text(&mut self) -> String {
        match self.value() {
            Value::String(text) => text,
            other => other.to_string(),
        }
    }
}

/// Asks the hooks, and a person if they say so. `Err` carries what the model is told all the same.
pub(super) async fn pass(place: &Place, call: Call) -> Result<Passed, (Refusal, Vec<Injection>)> {
    let decision = place.decide(call).await;
    let approved = match decision.action {
        Action::Allow | Action::Modify | Action::Inject => false,
        Action::Ask => {
            let question = Question {
                point: &decision.point,
                payload: &decision.output,
                asked_by: asked_by(&decision),
                terms: decision.approval.clone().unwrap_or_default(),
            };
            match ask(place, question).await {
                Ok(()) => true,
                Err(reason) => return Err((Refusal::new(RefusedBy::Approval, reason), decision.injections)),
            }
        }
        Action::Block => {
            let by = decision.hook.map_or(RefusedBy::Turn, RefusedBy::Hook);
            return Err((Refusal::new(by, decision.reason.unwrap_or_default()), decision.injections));
        }
    };
    Ok(passed(decision, approved))
}

fn passed(decision: Decision, approved: bool) -> Passed {
    let field = decision.point.mutable_field().unwrap_or_default();
    let is_rewritten = decision.input.get(field) != decision.output.get(field);
    let changed = decision.runs.into_iter().filter(|run| run.changed && run.mode == Mode::Enforce);
    Passed {
        rewritten_by: if is_rewritten { changed.map(|run| run.hook).collect() } else { Vec::new() },
        payload: decision.output,
        field,
        injections: decision.injections,
        approved,
    }
}

/// Every hook that asked, in order: the first one's terms are the question's.
fn asked_by(decision: &Decision) -> Vec<AskedBy> {
    decision
        .runs
        .iter()
        .filter(|run| run.action == Action::Ask && run.mode == Mode::Enforce)
        .map(|run| AskedBy { hook: Some(run.hook.clone()), reason: run.reason.clone().unwrap_or_default() })
        .collect()
}
