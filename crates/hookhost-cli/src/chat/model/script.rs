//! A recorded model: what it says does not depend on what it is told.

use std::collections::VecDeque;
use std::path::Path;

use futures::StreamExt;
use serde::Deserialize;
use serde_json::Value;

use super::{ModelError, Piece, Pieces, ToolCall, Usage};

/// A recording, and how far it has been played.
#[derive(Debug)]
pub(crate) struct Script {
    turns: VecDeque<ScriptTurn>,
    replies: VecDeque<ScriptReply>,
    /// Replies given in this turn, and tool calls made in all.
    given: usize,
    calls: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptFile {
    turns: VecDeque<ScriptTurn>,
}

/// What the model says to one message of the user.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptTurn {
    /// Played as if the user had typed it. Without it, the user is asked.
    #[serde(default)]
    user: Option<String>,
    replies: VecDeque<ScriptReply>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ScriptReply {
    #[serde(default)]
    text: String,
    #[serde(default)]
    tool_calls: Vec<ScriptCall>,
    /// Default: nothing read, and one token for each word.
    usage: Option<ScriptUsage>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptCall {
    name: String,
    arguments: Value,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ScriptUsage {
    input_tokens: u64,
    output_tokens: u64,
}

impl Script {
    /// Reads a recording.
    pub(crate) fn open(path: &Path) -> Result<Self, ModelError> {
        let problem = |problem: String| ModelError::Script { path: path.to_owned(), problem };
        let text = std::fs::read_to_string(path).map_err(|error| problem(error.to_string()))?;
        let ScriptFile { turns } = serde_json::from_str(&text).map_err(|error| problem(error.to_string()))?;
        Ok(Self { turns, replies: VecDeque::new(), given: 0, calls: 0 })
    }

    /// The next turn's user text; `None` when the recording is over.
    pub(crate) fn next_turn(&mut self) -> Option<Option<String>> {
        let ScriptTurn { user, replies } = self.turns.pop_front()?;
        self.replies = replies;
        self.given = 0;
        Some(user)
    }

    /// The turn's next reply, word by word.
    pub(crate) fn reply(&mut self) -> Result<Pieces, ModelError> {
        let ScriptReply { text, tool_calls, usage } =
            self.replies.pop_front().ok_or(ModelError::ScriptOver(self.given))?;
        self.given += 1;
        let mut pieces: Vec<_> = text.split_inclusive(' ').map(|word| Piece::Text(word.to_owned())).collect();
        for ScriptCall { name, arguments } in tool_calls {
            self.calls += 1;
            let id = format!("call_{}", self.calls);
            pieces.push(Piece::ToolCall(ToolCall { id, name, arguments: arguments.to_string() }));
        }
        let usage = match usage {
            Some(ScriptUsage { input_tokens, output_tokens }) => Usage { input_tokens, output_tokens },
            None => Usage { input_tokens: 0, output_tokens: text.split_whitespace().count() as u64 },
        };
        pieces.push(Piece::Usage(usage));
        Ok(futures::stream::iter(pieces.into_iter().map(Ok)).boxed())
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fs;

    use super::*;

    fn script(text: &str) -> Result<Script, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("script.json");
        fs::write(&path, text)?;
        Ok(Script::open(&path)?)
    }

    #[tokio::test]
    async fn replies_come_in_their_order_and_end() {
        let mut script = script(
            r#"{ "turns": [
              { "user": "hi", "replies": [{ "text": "a b", "toolCalls": [{ "name": "t", "arguments": { "x": 1 } }] }] },
              { "replies": [{ "toolCalls": [{ "name": "t", "arguments": [] }], "usage": { "inputTokens": 7, "outputTokens": 1 } }] }
            ] }"#,
        )
        .unwrap();
        assert_eq!(script.next_turn(), Some(Some("hi".to_owned())));
        let pieces: Vec<_> = script.reply().unwrap().map(Result::unwrap).collect().await;
        let call = ToolCall { id: "call_1".into(), name: "t".into(), arguments: r#"{"x":1}"#.into() };
        let usage = Usage { input_tokens: 0, output_tokens: 2 };
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(pieces, [text("a "), text("b"), Piece::ToolCall(call), Piece::Usage(usage)]);
        assert!(matches!(script.reply(), Err(ModelError::ScriptOver(1))));

        assert_eq!(script.next_turn(), Some(None));
        let pieces: Vec<_> = script.reply().unwrap().map(Result::unwrap).collect().await;
        let call = ToolCall { id: "call_2".into(), name: "t".into(), arguments: "[]".into() };
        assert_eq!(pieces, [Piece::ToolCall(call), Piece::Usage(Usage { input_tokens: 7, output_tokens: 1 })]);

        assert_eq!(script.next_turn(), None);
        assert!(matches!(script.reply(), Err(ModelError::ScriptOver(1))));
    }

    #[test]
    fn what_is_no_recording_is_refused_with_its_place() {
        for (text, problem) in [
            (r#"{ "turns": [{ "replys": [] }] }"#, "unknown field `replys`"),
            ("{", "line 1 column 1"),
            (r#"{ "turns": 3 }"#, "line 1 column 12"),
            (r#"{ "turns": [{ "replies": [{ "toolCalls": [{ "name": "t" }] }] }] }"#, "missing field `arguments`"),
            ("{ \"turns\": [],\n  \"system\": \"\" }", "line 2 column 10"),
        ] {
            let error = script(text).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
        assert!(Script::open(Path::new("no/such.json")).unwrap_err().to_string().contains("no/such.json"));
    }
}
