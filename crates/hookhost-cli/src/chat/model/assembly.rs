//! Puts an answer together from the pieces that a service sends.
//!
//! Services agree on the shape roughly. What is missing, null, or of a form that only some use is read as what it can only
//! mean; fields that nothing here needs are not looked at.

use serde::Deserialize;
use serde_json::Value;

use super::{Piece, ToolCall, Usage};

/// An answer on its way.
#[derive(Debug)]
pub(super) struct Assembly {
    /// What ids begin with, where the service gives none.
    id_prefix: String,
    calls: Vec<Call>,
    usage: Option<Usage>,
    finished: bool,
}

/// A call whose parts come one by one.
#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

/// A piece of a streamed answer, or a whole answer.
#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<ApiUsage>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    delta: Option<Delta>,
    /// In an answer that comes whole. Some services end a stream with it: by then all of it has been said.
    #[serde(default)]
    message: Option<Delta>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Delta {
    /// Text, or a list of parts.
    #[serde(default)]
    content: Option<Value>,
    /// Where the model says why it does not answer.
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Deserialize)]
struct CallDelta {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: Option<FunctionDelta>,
}

#[derive(Deserialize)]
struct FunctionDelta {
    #[serde(default)]
    name: Option<String>,
    /// JSON text; some services send the object itself.
    #[serde(default)]
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct ApiUsage {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
}

/// Why a piece cannot be taken.
#[derive(Debug, PartialEq)]
pub(super) enum BadPiece {
    /// It is not what the API sends.
    Garbled(String),
    /// The service says that it has failed.
    Failed(String),
}

impl Assembly {
    /// Calls without an id are called `{id_prefix}_1` and so on.
    pub(super) fn new(id_prefix: String) -> Self {
        Self { id_prefix, calls: Vec::new(), usage: None, finished: false }
    }

    /// Takes one piece of a stream. Returns the text in it.
    pub(super) fn take(&mut self, json: &str) -> Result<String, BadPiece> {
        self.take_from(json, |choice| choice.delta)
    }

    /// Takes an answer that comes whole. Returns its text.
    pub(super) fn take_whole(&mut self, json: &str) -> Result<String, BadPiece> {
        let text = self.take_from(json, |choice| choice.message)?;
        if text.is_empty() && self.calls.is_empty() && !self.finished {
            return Err(BadPiece::Garbled(format!("there is no answer in `{}`", beginning(json, 200))));
        }
        Ok(text)
    }

    fn take_from(&mut self, json: &str, said: fn(Choice) -> Option<Delta>) -> Result<String, BadPiece> {
        let chunk: Chunk = serde_json::from_str(json)
            .map_err(|error| BadPiece::Garbled(format!("{error}, in `{}`", beginning(json, 200))))?;
        if let Some(error) = chunk.error {
            return Err(BadPiece::Failed(message_of(&error).unwrap_or_else(|| error.to_string())));
        }
        if let Some(ApiUsage { prompt_tokens, completion_tokens }) = chunk.usage {
            // The last one counts: services that send it with each piece send the sum so far.
            self.usage = Some(Usage {
                input_tokens: prompt_tokens.unwrap_or_default(),
                output_tokens: completion_tokens.unwrap_or_default(),
            });
        }
        let mut text = String::new();
        // One answer was asked for.
        for choice in chunk.choices.into_iter().flatten().filter(|choice| choice.index.unwrap_or_default() == 0) {
            self.finished |= choice.finish_reason.as_ref().is_some_and(|reason| !reason.is_empty());
            let Some(Delta { content, refusal, tool_calls }) = said(choice) else { continue };
            push_text(&mut text, content);
            text.push_str(&refusal.unwrap_or_default());
            for call in tool_calls.into_iter().flatten() {
                self.take_call(call);
            }
        }
        Ok(text)
    }

    /// The service has said that the answer is complete.
    pub(super) fn is_finished(&self) -> bool {
        self.finished
    }

    /// What there is to say when the answer is complete.
    pub(super) fn end(&mut self) -> Vec<Piece> {
        let calls = std::mem::take(&mut self.calls).into_iter().zip(1..).map(|(call, number)| {
            let Call { id, name, arguments, .. } = call;
            let id = if id.is_empty() { format!("{}_{number}", self.id_prefix) } else { id };
            Piece::ToolCall(ToolCall { id, name, arguments })
        });
        calls.chain(self.usage.take().map(Piece::Usage)).collect()
    }

    fn take_call(&mut self, delta: CallDelta) {
        let id = delta.id.unwrap_or_default();
        let named = delta.function.as_ref().is_some_and(|function| function.name.is_some());
        let at = self.call_of(delta.index, &id, named);
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            call.id = id;
        }
        let Some(FunctionDelta { name, arguments }) = delta.function else { return };
        // Some send the name again with each part.
        if let Some(name) = name.filter(|name| *name != call.name) {
            call.name.push_str(&name);
        }
        match arguments {
            None | Some(Value::Null) => {}
            Some(Value::String(part)) => call.arguments.push_str(&part),
            Some(whole) => call.arguments.push_str(&whole.to_string()),
        }
    }

    /// Which call a part belongs to: a new id begins a new call, even where all have the same index; else the index tells,
    /// and where there is none, it is the call before, unless there is a name, with which a call begins.
    fn call_of(&mut self, index: Option<u64>, id: &str, named: bool) -> usize {
        let found = if id.is_empty() {
            match index {
                Some(_) => self.calls.iter().rposition(|call| call.index == index),
                None if named => None,
                None => self.calls.len().checked_sub(1),
            }
        } else {
            // The id may also come after the first part.
            let of_id = self.calls.iter().rposition(|call| call.id == id && call.index == index);
            let unnamed = || self.calls.iter().rposition(|call| call.id.is_empty() && call.index == index);
            of_id.or_else(|| index.and_then(|_| unnamed()))
        };
        found.unwrap_or_else(|| {
            self.calls.push(Call { index, ..Call::default() });
            self.calls.len() - 1
        })
    }
}

fn push_text(text: &mut String, content: Option<Value>) {
    match content {
        Some(Value::String(part)) => text.push_str(&part),
        Some(Value::Array(parts)) => {
            for part in parts.iter().filter_map(|part| part.get("text")?.as_str()) {
                text.push_str(part);
            }
        }
        _ => {}
    }
}

/// What a service says of an error: `{"error": {"message": ".."}}`, or one of the forms that others have made of it.
pub(super) fn message_of(error: &Value) -> Option<String> {
    if let Value::String(text) = error {
        return Some(text.clone());
    }
    ["error", "message", "detail"].iter().filter_map(|key| error.get(key)).find_map(message_of)
}

/// The first `most` bytes at most, in whole characters.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The text, and what comes at the end.
    fn assembled(pieces: &[Value]) -> Result<(String, Vec<Piece>), BadPiece> {
        let mut assembly = Assembly::new("made".to_owned());
        let text = pieces.iter().map(|piece| assembly.take(&piece.to_string())).collect::<Result<_, _>>()?;
        Ok((text, assembly.end()))
    }

    fn calls(deltas: &[Value]) -> Result<Vec<(String, String, String)>, BadPiece> {
        let pieces: Vec<_> =
            deltas.iter().map(|call| json!({ "choices": [{ "delta": { "tool_calls": [call] } }] })).collect();
        let (_, end) = assembled(&pieces)?;
        Ok(end
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::ToolCall(ToolCall { id, name, arguments }) => Some((id, name, arguments)),
                _ => None,
            })
            .collect())
    }

    fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
        (id.to_owned(), name.to_owned(), arguments.to_owned())
    }

    #[test]
    fn what_servers_leave_out_is_not_missed() {
        let (text, end) = assembled(&[
            json!({}),
            json!({ "choices": null, "usage": null, "error": null }),
            json!({ "choices": [{}] }),
            json!({ "choices": [{ "delta": null }] }),
            json!({ "choices": [{ "delta": { "role": "assistant", "content": null, "tool_calls": null } }] }),
            json!({ "choices": [{ "delta": { "content": "a" }, "finish_reason": null }] }),
            json!({ "choices": [{ "index": 1, "delta": { "content": "of another answer" } }] }),
            json!({ "choices": [{ "delta": { "content": [{ "type": "text", "text": "b" }, { "type": "image" }] } }] }),
            json!({ "choices": [{ "delta": { "refusal": "c" } }] }),
            json!({ "choices": [{ "message": { "content": "abc, once more" } }], "usage": { "prompt_tokens": 3 } }),
            json!({ "choices": [], "usage": { "prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7 } }),
        ])
        .unwrap();
        assert_eq!(text, "abc");
        assert_eq!(end, [Piece::Usage(Usage { input_tokens: 3, output_tokens: 4 })]);
    }

    #[test]
    fn calls_that_come_in_turns_are_told_apart() {
        let deltas = [
            json!({ "index": 0, "id": "x", "function": { "name": "one", "arguments": "" } }),
            json!({ "index": 1, "id": "y", "function": { "name": "two", "arguments": "{\"b\"" } }),
            json!({ "index": 0, "function": { "arguments": "{\"a\"" } }),
            json!({ "index": 1, "id": "", "function": { "arguments": ":2}" } }),
            json!({ "index": 0, "id": "x", "function": { "name": "one", "arguments": ":1}" } }),
        ];
        let expected = [call("x", "one", r#"{"a":1}"#), call("y", "two", r#"{"b":2}"#)];
        assert_eq!(calls(&deltas).unwrap(), expected);
    }

    #[test]
    fn calls_without_index_or_id_are_understood() {
        let no_index = [
            json!({ "id": "x", "function": { "name": "one", "arguments": "{" } }),
            json!({ "function": { "arguments": "}" } }),
            json!({ "id": "y", "function": { "name": "two", "arguments": { "b": 2 } } }),
        ];
        assert_eq!(calls(&no_index).unwrap(), [call("x", "one", "{}"), call("y", "two", r#"{"b":2}"#)]);

        let no_id = [
            json!({ "index": 0, "function": { "name": "one", "arguments": "{" } }),
            json!({ "index": 1, "function": { "name": "two" } }),
            json!({ "index": 0, "function": { "name": null, "arguments": "}" } }),
        ];
        assert_eq!(calls(&no_id).unwrap(), [call("made_1", "one", "{}"), call("made_2", "two", "")]);

        let nothing = [
            json!({ "function": { "name": "one", "arguments": "{" } }),
            json!({ "function": { "arguments": "}" } }),
            json!({ "function": { "name": "one", "arguments": {} } }),
        ];
        assert_eq!(calls(&nothing).unwrap(), [call("made_1", "one", "{}"), call("made_2", "one", "{}")]);

        let late_id = [
            json!({ "index": 0, "function": { "name": "one" } }),
            json!({ "index": 0, "id": "x", "function": { "arguments": "{}" } }),
        ];
        assert_eq!(calls(&late_id).unwrap(), [call("x", "one", "{}")]);
    }

    #[test]
    fn a_new_id_is_a_new_call_even_at_the_same_index() {
        let deltas = [
            json!({ "index": 0, "id": "x", "function": { "name": "one", "arguments": "{}" } }),
            json!({ "index": 0, "id": "y", "function": { "name": "one", "arguments": "{" } }),
            json!({ "index": 0, "function": { "arguments": "}" } }),
        ];
        assert_eq!(calls(&deltas).unwrap(), [call("x", "one", "{}"), call("y", "one", "{}")]);
    }

    #[test]
    fn an_answer_may_come_whole() {
        let mut assembly = Assembly::new("made".to_owned());
        let tool_calls =
            json!([{ "function": { "name": "one", "arguments": "{}" } }, { "function": { "name": "two" } }]);
        let answer = json!({ "choices": [{ "message": { "content": "a", "tool_calls": tool_calls } }] });
        assert_eq!(assembly.take_whole(&answer.to_string()).unwrap(), "a");
        let [one, two] = [("made_1", "one", "{}"), ("made_2", "two", "")].map(|(id, name, arguments)| {
            Piece::ToolCall(ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() })
        });
        assert_eq!(assembly.end(), [one, two]);

        let empty = json!({ "choices": [{ "message": { "content": "" }, "finish_reason": "stop" }] });
        assert_eq!(Assembly::new(String::new()).take_whole(&empty.to_string()).unwrap(), "");
        let none = Assembly::new(String::new()).take_whole("{}").unwrap_err();
        assert_eq!(none, BadPiece::Garbled("there is no answer in `{}`".to_owned()));
    }

    #[test]
    fn an_error_amid_the_answer_is_one() {
        for error in [json!("no"), json!({ "message": "no" }), json!({ "code": 1, "error": { "detail": "no" } })] {
            let piece = json!({ "error": error, "choices": [{ "delta": { "content": "x" } }] });
            assert_eq!(assembled(&[piece]).unwrap_err(), BadPiece::Failed("no".to_owned()));
        }
        let BadPiece::Garbled(problem) = assembled(&[json!({ "choices": 3 })]).unwrap_err() else {
            panic!("what cannot be read counts as the service's own word");
        };
        assert!(problem.contains(r#"in `{"choices":3}`"#), "{problem}");
    }

    #[test]
    fn only_a_finish_reason_finishes() {
        let mut assembly = Assembly::new(String::new());
        for unfinished in [json!(null), json!("")] {
            assembly.take(&json!({ "choices": [{ "finish_reason": unfinished }] }).to_string()).unwrap();
            assert!(!assembly.is_finished());
        }
        assembly.take(&json!({ "choices": [{ "finish_reason": "stop" }] }).to_string()).unwrap();
        assert!(assembly.is_finished());
    }
}
