//! What comes of one call: the merged decision and how it came about.

use serde::{Deserialize, Serialize};

use crate::{Approval, Injection, JsonObject, MessageLevel, Mode, Point};

words! {
    /// What happens to a call. Later words outrank earlier ones.
    Action as "action" {
        /// The call goes on as it was.
        Allow = "allow",
        /// The call goes on with another payload.
        Modify = "modify",
        /// The call goes on, and the model is told something.
        Inject = "inject",
        /// A person decides.
        Ask = "ask",
        /// The call stops.
        Block = "block",
    }
}

words! {
    /// Why a hook gave no decision of its own.
    #[non_exhaustive]
    FailureCause as "failure cause" {
        /// `run` threw.
        Threw = "threw",
        /// The promise that `run` returned was rejected.
        Rejected = "rejected",
        /// No answer within the hook's wall-clock limit.
        TimedOut = "timed_out",
        /// An answer that is not one of the known ones.
        InvalidDecision = "invalid_decision",
        /// The hook's heap, or what it may hold outside of it, was exhausted.
        OutOfMemory = "out_of_memory",
        /// The hook could not be started.
        LoadFailed = "load_failed",
        /// The hook's instance ended under the call; or the hook was not called: it rests after it broke repeatedly, is
        /// stuck, has been given up, or the payload is over the limit.
        Exited = "exited",
    }
}

/// A hook that failed. What that means for the call is decided by the hook's fail policy, never here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// In which way.
    pub cause: FailureCause,
    /// What happened, in the hook's or the host's words.
    pub message: String,
    /// Where in the hook's own files, as `file:line:column`, when that is known.
    #[serde(default)]
    pub at: Option<String>,
}

impl Failure {
    /// A failure without a known place.
    pub fn new(cause: FailureCause, message: impl Into<String>) -> Self {
        Self { cause, message: message.into(), at: None }
    }

    /// Adds the place.
    pub fn at(mut self, place: Option<String>) -> Self {
        self.at = place;
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.cause, self.message)?;
        match &self.at {
            Some(place) => write!(f, " ({place})"),
            None => Ok(()),
        }
    }
}

/// The decision that a chat loop obeys. As JSON it is what `hookhost run --format json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// Names this decision in logs and audit records.
    pub id: String,
    /// Where the question arose.
    pub point: Point,
    /// The answer. At postTurn hooks are recorded only, and it is allow whatever they say. Modify only if `output`
    /// differs from `input`.
    pub action: Action,
    /// Why, for a block or an ask: the reason of the hook that decided.
    pub reason: Option<String>,
    /// The hook that decided: the first whose answer is the action. None for an allow, and for a block because there
    /// was no such hook to ask.
    pub hook: Option<String>,
    /// The payload as it came in.
    pub input: JsonObject,
    /// The payload as it goes on, whatever the action: a payload rewritten before an ask, an injection or a block is
    /// rewritten here too.
    pub output: JsonObject,
    /// Each hook that ran, in order.
    #[serde(rename = "ran")]
    pub runs: Vec<HookRun>,
    /// What the hooks logged.
    pub logs: Vec<HookLog>,
    /// What the user is told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<HookMessage>,
    /// What the model is told, whatever the action.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub injections: Vec<Injection>,
    /// How to ask, when the action is ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
}

/// What one hook did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HookRun {
    /// The hook.
    pub hook: String,
    /// Its answer, or what its fail policy made of its failure; also when that does not count (see `mode`), and
    /// at postTurn.
    pub action: Action,
    /// Why, for a block or an ask.
    pub reason: Option<String>,
    /// The note of a modify.
    pub note: Option<String>,
    /// Wall-clock time of the call, in milliseconds.
    pub duration_ms: f64,
    /// Why the hook gave no answer of its own. Tells *failed* from *denied*.
    pub failure: Option<Failure>,
    /// The payload was different after this hook.
    pub changed: bool,
    /// The fields of the payload that this hook changed, with their new values. Only if `changed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewrote: Option<JsonObject>,
    /// Changes of the hook that had no effect, by payload field: a modify may change one field only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// Whether the answer counted: an observing hook is recorded only.
    pub mode: Mode,
}

/// A line that a hook logged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookLog {
    /// The hook.
    pub hook: String,
    /// The line.
    pub message: String,
}

/// Something that a hook tells the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookMessage {
    /// The hook.
    pub hook: String,
    /// What it says.
    pub text: String,
    /// How serious it is.
    pub level: MessageLevel,
}

#[cfg(test)]
mod tests {
    use super::Action;

    #[test]
    fn the_order_of_actions_is_their_precedence() {
        assert!(Action::Block > Action::Ask);
        assert!(Action::Ask > Action::Inject);
        assert!(Action::Inject > Action::Modify);
        assert!(Action::Modify > Action::Allow);
    }
}
