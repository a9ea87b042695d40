//! What an embedder hands to the host for one decision.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{JsonObject, Point};

/// Who is behind a turn, as hooks see it in `ctx.caller`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Caller {
    /// The user, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub user_id: Option<String>,
    /// Where the call comes from. Default `chat`, a live turn.
    #[serde(default = "chat")]
    pub source: String,
    /// The user's organisation, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub org_id: Option<String>,
}

fn chat() -> String {
    "chat".to_owned()
}

impl Default for Caller {
    fn default() -> Self {
        Self { user_id: None, source: chat(), org_id: None }
    }
}

/// One question to the host: may this go on, and as what?
///
/// ```
/// use hookhost_contract::{Call, Caller};
///
/// let call = Call::pre_tool_use("store__submissions__set", serde_json::json!({ "key": "a1" }))
///     .caller(Caller { user_id: Some("u1".into()), ..Caller::default() })
///     .scope_id("taxpayer:100");
/// assert_eq!(call.payload["toolName"], "store__submissions__set");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// Where in the turn the question arises.
    pub point: Point,
    /// What the question is about.
    pub payload: JsonObject,
    /// Who is behind the turn.
    pub caller: Option<Caller>,
    /// The scope of the session, for hooks that compare arguments against it.
    pub scope_id: Option<String>,
    /// The turn's request context.
    pub context: Option<BTreeMap<String, String>>,
    /// The session, when known.
    pub session_id: Option<String>,
    /// The turn, when known.
    pub turn_id: Option<String>,
    /// Ask only this hook. Default: every hook bound to the point.
    pub only_hook: Option<String>,
}

impl Call {
    /// A call with any payload.
    pub fn new(point: Point, payload: JsonObject) -> Self {
        Self {
            point,
            payload,
            caller: None,
            scope_id: None,
            context: None,
            session_id: None,
            turn_id: None,
            only_hook: None,
        }
    }

    /// A call with a payload from outside the program.
    ///
    /// # Errors
    /// The payload is not a JSON object.
    pub fn from_json(point: Point, payload: Value) -> Result<Self, CallError> {
        match payload {
            Value::Object(payload) => Ok(Self::new(point, payload)),
            other => Err(CallError { point, found: json_kind(&other) }),
        }
    }

    /// The user's text of a live turn.
    pub fn pre_input(text: impl Into<String>) -> Self {
        Self::of(Point::PreInput, json!({ "text": text.into(), "source": "chat" }))
    }

    /// A tool call that the model selected.
    pub fn pre_tool_use(tool_name: impl Into<String>, args: Value) -> Self {
        Self::of(Point::PreToolUse, json!({ "toolName": tool_name.into(), "args": args }))
    }

    /// The result of a tool call.
    pub fn post_tool_use(tool_name: impl Into<String>, args: Value, result: Value, is_error: bool) -> Self {
        let payload = json!({ "toolName": tool_name.into(), "args": args, "result": result, "isError": is_error });
        Self::of(Point::PostToolUse, payload)
    }

    /// The assistant's text of a live turn.
    pub fn pre_output(text: impl Into<String>) -> Self {
        Self::of(Point::PreOutput, json!({ "text": text.into(), "channels": ["chat"] }))
    }

    /// The finished turn.
    pub fn post_turn(text: impl Into<String>, tool_calls: Value, usage: Value) -> Self {
        Self::of(Point::PostTurn, json!({ "text": text.into(), "toolCalls": tool_calls, "usage": usage }))
    }

    fn of(point: Point, payload: Value) -> Self {
        let payload = match payload {
            Value::Object(payload) => payload,
            // The constructors above write objects only.
            _ => JsonObject::new(),
        };
        Self::new(point, payload)
    }

    /// Says who is behind the turn.
    pub fn caller(mut self, caller: Caller) -> Self {
        self.caller = Some(caller);
        self
    }

    /// Sets the scope.
    pub fn scope_id(mut self, scope_id: impl Into<String>) -> Self {
        self.scope_id = Some(scope_id.into());
        self
    }

    /// Sets the request context.
    pub fn context(mut self, context: BTreeMap<String, String>) -> Self {
        self.context = Some(context);
        self
    }

    /// Names the session and the turn.
    pub fn turn(mut self, session_id: impl Into<String>, turn_id: impl Into<String>) -> Self {
        self.session_id = Some(session_id.into());
        self.turn_id = Some(turn_id.into());
        self
    }

    /// Asks only one hook, by name.
    pub fn only_hook(mut self, name: impl Into<String>) -> Self {
        self.only_hook = Some(name.into());
        self
    }
}

/// A payload that is not a JSON object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the payload at {point} is {found}: write a JSON object, as in `{}`", example(.point))]
pub struct CallError {
    /// Where the call was made.
    pub point: Point,
    /// What was there instead of an object.
    pub found: &'static str,
}

/// A payload of the point, as messages show it.
fn example(point: &Point) -> &'static str {
    match point {
        Point::PreInput | Point::PreOutput | Point::PostTurn => r#"{"text": "..."}"#,
        Point::PreToolUse => r#"{"toolName": "...", "args": {}}"#,
        Point::PostToolUse => r#"{"toolName": "...", "args": {}, "result": {}}"#,
        Point::Event(_) => r#"{"key": "value"}"#,
    }
}

/// What a JSON value is, in words.
pub(crate) fn json_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
