//! One call of one hook, between the chain and the engine.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::{Caller, Failure, Point};

/// What one hook is called with.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The first argument of `run`.
    pub point: Point,
    /// The second argument, as the text of a JSON object. Text, since every engine crosses its boundary with text and
    /// a chain of hooks that change nothing shares one.
    pub payload: Arc<str>,
    /// The data of the third argument.
    pub context: Arc<CallContext>,
    /// How long the hook may take, from now on the wall clock.
    pub timeout: Duration,
}

/// The data of `ctx` that all hooks of a chain share.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallContext {
    /// Who is behind the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<Caller>,
    /// The strings that the host exposes; never the whole process environment.
    pub env: BTreeMap<String, String>,
    /// The scope of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_id: Option<String>,
    /// The turn's request context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<BTreeMap<String, String>>,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// What came back from one hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The reply as JSON text, not yet judged; or why there is none.
    pub reply: Result<String, Failure>,
    /// What the hook logged during the call, in order.
    pub logs: Vec<String>,
}
