//! What a turn has done so far, for its end.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::{Refusal, RefusedBy, ToolCall};

/// What has been shown and run, and whether the turn goes on at all.
#[derive(Default)]
pub(super) struct Record(Mutex<State>);

#[derive(Default)]
struct State {
    stopped: Option<String>,
    shown: Vec<String>,
    tools: Vec<Tool>,
}

struct Tool {
    call: ToolCall,
    outcome: &'static str,
    is_error: bool,
}

impl Record {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn's input was refused: nothing goes on after that.
    pub(super) fn stop(&self, reason: &str) {
        self.state().stopped = Some(reason.to_owned());
    }

    /// Why nothing goes on, if so.
    pub(super) fn stopped(&self) -> Option<Refusal> {
        let state = self.state();
        let reason = state.stopped.as_ref()?;
        Some(Refusal::new(RefusedBy::Turn, format!("the turn is over, since its input was refused: {reason}")))
    }

    /// The user saw this.
    pub(super) fn show(&self, text: &str) {
        if !text.is_empty() {
            self.state().shown.push(text.to_owned());
        }
    }

    /// A tool call came. Until [`Record::settle`] it counts as dropped.
    pub(super) fn begin(&self, call: &ToolCall) -> usize {
        let mut state = self.state();
        state.tools.push(Tool { call: call.clone(), outcome: "dropped", is_error: true });
        state.tools.len() - 1
    }

    /// The arguments with which the tool runs.
    pub(super) fn runs(&self, number: usize, args: &Value) {
        if let Some(tool) = self.state().tools.get_mut(number) {
            tool.call.args.clone_from(args);
        }
    }

    /// What came of it.
    pub(super) fn settle(&self, number: usize, outcome: &'static str, is_error: bool) {
        if let Some(tool) = self.state().tools.get_mut(number) {
            (tool.outcome, tool.is_error) = (outcome, is_error);
        }
    }

    /// What the user saw, and the tool calls, as `postTurn` has them.
    pub(super) fn summary(&self) -> (String, Value) {
        let state = self.state();
        let tool_calls = state.tools.iter().map(|Tool { call, outcome, is_error }| {
            let mut entry = json!({
                "toolName": call.name, "args": call.args, "outcome": outcome, "isError": is_error,
            });
            if let Some(id) = &call.id {
                entry["id"] = id.as_str().into();
            }
            entry
        });
        (state.shown.join("\n\n"), tool_calls.collect())
    }
}
