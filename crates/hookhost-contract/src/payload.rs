//! What hooks are given at each point of a turn.
//!
//! These types describe: a [`Call`](crate::Call) carries a plain object, since fields that the loop adds pass through.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The user's text, before it is stored and before the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PreInputPayload {
    /// What the user wrote. A modify may change it, into another string.
    pub text: String,
    /// Where it comes from: `chat` for a live turn.
    pub source: String,
}

/// A tool call that the model selected, before it runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PreToolUsePayload {
    /// The tool's name.
    pub tool_name: String,
    /// The arguments, as the model wrote them: look before you rely on them. A modify may change them.
    #[cfg_attr(feature = "types", ts(type = "any"))]
    pub args: Value,
}

/// A tool's result, before the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PostToolUsePayload {
    /// The tool's name.
    pub tool_name: String,
    /// The arguments that the tool ran with.
    #[cfg_attr(feature = "types", ts(type = "any"))]
    pub args: Value,
    /// What the tool gave back. A modify may change it, into anything.
    #[cfg_attr(feature = "types", ts(type = "any"))]
    pub result: Value,
    /// The tool failed, and `result` says how.
    pub is_error: bool,
}

/// The assistant's text, before it is stored and shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PreOutputPayload {
    /// What the assistant wrote. A modify may change it, into another string.
    pub text: String,
    /// Where it goes to: `chat` for a live turn.
    pub channels: Vec<String>,
}

/// The finished turn. Answers here are recorded only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PostTurnPayload {
    /// What the assistant said, as the user saw it.
    pub text: String,
    /// The tool calls of the turn.
    #[cfg_attr(feature = "types", ts(type = "any"))]
    pub tool_calls: Value,
    /// What the turn cost, as the loop counts it.
    #[cfg_attr(feature = "types", ts(type = "any"))]
    pub usage: Value,
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::json;

    use super::*;
    use crate::Call;

    fn round<T: DeserializeOwned + Serialize>(call: Call) -> (Value, Value) {
        let payload = Value::Object(call.payload);
        let read: Option<T> = serde_json::from_value(payload.clone()).ok();
        (payload, json!(read))
    }

    #[test]
    fn each_constructor_of_a_call_fills_its_payload() {
        for (payload, read) in [
            round::<PreInputPayload>(Call::pre_input("hello")),
            round::<PreToolUsePayload>(Call::pre_tool_use("shell", json!({ "command": "ls" }))),
            round::<PostToolUsePayload>(Call::post_tool_use("shell", json!({}), json!("a.txt"), false)),
            round::<PreOutputPayload>(Call::pre_output("done")),
            round::<PostTurnPayload>(Call::post_turn("done", json!([]), json!({}))),
        ] {
            assert_eq!(payload, read);
        }
    }
}
