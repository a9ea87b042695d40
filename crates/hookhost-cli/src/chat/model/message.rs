//! What goes to a model and comes from it, in the shape of OpenAI's chat API.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Message {
    System(String),
    User(String),
    Assistant { text: String, tool_calls: Vec<ToolCall> },
    Tool { call_id: String, content: String },
}

/// A tool call, as the model wrote it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCall {
    pub(crate) id: String,
    pub(crate) name: String,
    /// JSON text, unread.
    pub(crate) arguments: String,
}

/// A tool that the model may call.
#[derive(Debug, Clone)]
pub(crate) struct ToolSpec {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// A JSON Schema.
    pub(crate) parameters: Value,
}

/// A piece of a reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    /// A whole call.
    ToolCall(ToolCall),
    Usage(Usage),
}

/// Tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::System(content) => {
                map.serialize_entry("role", "system")?;
                map.serialize_entry("content", content)?;
            }
            Self::User(content) => {
                map.serialize_entry("role", "user")?;
                map.serialize_entry("content", content)?;
            }
            Self::Assistant { text, tool_calls } => {
                map.serialize_entry("role", "assistant")?;
                // Some services refuse an empty text, and all that know tools send null themselves; and an empty list of
                // calls is refused as well.
                if tool_calls.is_empty() {
                    map.serialize_entry("content", text)?;
                } else {
                    map.serialize_entry("content", &Some(text).filter(|text| !text.is_empty()))?;
                    map.serialize_entry("tool_calls", tool_calls)?;
                }
            }
            Self::Tool { call_id, content } => {
                map.serialize_entry("role", "tool")?;
                map.serialize_entry("tool_call_id", call_id)?;
                map.serialize_entry("content", content)?;
            }
        }
        map.end()
    }
}

impl Serialize for ToolCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { id, name, arguments } = self;
        json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
            .serialize(serializer)
    }
}

impl Serialize for ToolSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { name, description, parameters } = self;
        let function = json!({ "name": name, "description": description, "parameters": parameters });
        json!({ "type": "function", "function": function }).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_the_shape_of_the_api() {
        let call = ToolCall { id: "call_1".into(), name: "read_file".into(), arguments: r#"{"path":"a"}"#.into() };
        let function = json!({ "name": "read_file", "arguments": r#"{"path":"a"}"# });
        let calls = json!([{ "id": "call_1", "type": "function", "function": function }]);
        for (message, shape) in [
            (Message::System("s".into()), json!({ "role": "system", "content": "s" })),
            (Message::User("u".into()), json!({ "role": "user", "content": "u" })),
            (
                Message::Assistant { text: "t".into(), tool_calls: Vec::new() },
                json!({ "role": "assistant", "content": "t" }),
            ),
            (
                Message::Assistant { text: "t".into(), tool_calls: vec![call.clone()] },
                json!({ "role": "assistant", "content": "t", "tool_calls": calls }),
            ),
            (
                Message::Assistant { text: String::new(), tool_calls: vec![call] },
                json!({ "role": "assistant", "content": null, "tool_calls": calls }),
            ),
            (
                Message::Tool { call_id: "call_1".into(), content: "c".into() },
                json!({ "role": "tool", "tool_call_id": "call_1", "content": "c" }),
            ),
        ] {
            assert_eq!(json!(message), shape);
        }
    }

    #[test]
    fn tools_have_the_shape_of_the_api() {
        let spec = ToolSpec { name: "t", description: "d", parameters: json!({ "type": "object" }) };
        let function = json!({ "name": "t", "description": "d", "parameters": { "type": "object" } });
        assert_eq!(json!(spec), json!({ "type": "function", "function": function }));
    }
}
