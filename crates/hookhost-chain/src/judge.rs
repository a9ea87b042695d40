//! What one hook's answer means, before anyone asks whether it counts.

use hookhost_contract::{
    Action, Approval, Failure, FailureCause, HookDecision, Injection, JsonObject, Point, Reply, UserMessage, parse_json,
};

use crate::ChainHook;
use crate::fail_policy::on_failure;
use crate::modify::{Rewrite, apply_modify};

/// One hook's decision, with everything filled in that the hook may leave out.
#[derive(Debug)]
pub(crate) enum Ruling {
    Allow,
    Modify { rewrite: Rewrite, note: Option<String> },
    Inject(Injection),
    Ask { reason: String, approval: Approval },
    Block { reason: String },
}

impl Ruling {
    pub(crate) fn action(&self) -> Action {
        match self {
            Self::Allow => Action::Allow,
            Self::Modify { .. } => Action::Modify,
            Self::Inject(_) => Action::Inject,
            Self::Ask { .. } => Action::Ask,
            Self::Block { .. } => Action::Block,
        }
    }
}

/// A ruling and what goes with it.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) ruling: Ruling,
    /// Why the ruling is the fail policy's and not the hook's.
    pub(crate) failure: Option<Failure>,
    pub(crate) message: Option<UserMessage>,
}

/// Reads a hook's reply against the payload that it saw.
pub(crate) fn judge(hook: &ChainHook, point: &Point, payload: &JsonObject, reply: Result<String, Failure>) -> Verdict {
    let understood = reply.and_then(|text| read(hook, point, payload, &text));
    understood.unwrap_or_else(|failure| Verdict {
        ruling: on_failure(&hook.name, hook.fail_policy_at(point)),
        failure: Some(failure),
        message: None,
    })
}

fn read(hook: &ChainHook, point: &Point, payload: &JsonObject, text: &str) -> Result<Verdict, Failure> {
    let value = parse_json(text).map_err(|error| invalid(format!("the reply cannot be read as JSON: {error}")))?;
    let reply = Reply::parse(&value).map_err(invalid)?;
    hook.permit.check(point, &reply.decision).map_err(invalid)?;
    let name = &hook.name;
    let ruling = match reply.decision {
        HookDecision::Allow => Ruling::Allow,
        HookDecision::Modify { payload: changed, note } => {
            Ruling::Modify { rewrite: apply_modify(point, payload, changed).map_err(invalid)?, note }
        }
        HookDecision::Inject(injection) => Ruling::Inject(Injection { hook: name.clone(), ..injection }),
        HookDecision::Ask { reason, approval } => {
            Ruling::Ask { reason: reason.unwrap_or_else(|| format!("Hook \"{name}\" asks for approval")), approval }
        }
        HookDecision::Block { reason } => {
            Ruling::Block { reason: reason.unwrap_or_else(|| format!("Hook \"{name}\" blocked this call")) }
        }
    };
    Ok(Verdict { ruling, failure: None, message: reply.message })
}

fn invalid(problem: impl ToString) -> Failure {
    Failure::new(FailureCause::InvalidDecision, problem.to_string())
}
