//! `preToolUse`, the policy, the tool itself, `postToolUse`.

use std::fmt::Display;

use hookhost_contract::{Approval, Call, Injection, JsonObject, Point, parse_json};
use serde_json::{Value, json};

use super::gate::{Passed, pass};
use super::{ModelText, Refusal, RefusedBy, Turn, UserText};
use crate::approval::{AskedBy, Question, ask};
use crate::event::EventKind;
use crate::policy::{PolicyQuestion, PolicyVerdict, judge};

/// A tool call that the model selected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolCall {
    /// The model's own id of the call, for the record.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub args: Value,
}

impl ToolCall {
    /// A call with arguments that have been read already.
    pub fn new(name: impl Into<String>, args: Value) -> Self {
        Self { id: None, name: name.into(), args }
    }

    /// A call with arguments as the model wrote them, as JSON text. An empty text is an empty object.
    ///
    /// # Errors
    /// The text is not a JSON object. Give [`BadToolCall::for_model`] to the model as the tool's error result.
    pub fn parse(name: impl Into<String>, arguments: &str) -> Result<Self, BadToolCall> {
        let name = name.into();
        let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
        let problem = match parse_json(arguments) {
            Ok(args @ Value::Object(_)) => return Ok(Self::new(name, args)),
            Ok(_) => "they are no object".to_owned(),
            Err(error) => error.to_string(),
        };
        Err(BadToolCall { tool_name: name, problem })
    }

    /// Sets the model's own id of the call.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }
}

/// A tool call whose arguments cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the arguments of `{tool_name}` are not a JSON object: {problem}")]
pub struct BadToolCall {
    /// The tool.
    pub tool_name: String,
    /// What is wrong with them.
    pub problem: String,
}

impl BadToolCall {
    /// The tool's error result, for the model.
    pub fn for_model(&self) -> ModelText {
        ModelText::new(self.to_string())
    }
}

/// What a tool gave back.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The result, or the error's text.
    pub value: Value,
    /// Whether the tool failed.
    pub is_error: bool,
}

impl From<Value> for ToolResult {
    fn from(value: Value) -> Self {
        Self { value, is_error: false }
    }
}

impl<V: Into<Value>, E: Display> From<Result<V, E>> for ToolResult {
    fn from(result: Result<V, E>) -> Self {
        match result {
            Ok(value) => Self { value: value.into(), is_error: false },
            Err(error) => Self { value: error.to_string().into(), is_error: true },
        }
    }
}

impl ToolResult {
    /// The result as text: a string as it is, anything else as JSON.
    fn text(&self) -> String {
        match &self.value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

/// What came of a tool call.
#[must_use]
#[derive(Debug, Clone, PartialEq)]
pub enum ToolOutcome {
    /// The tool ran, and the model may see this.
    Ran(ToolRun),
    /// The tool did not run. The model gets the reason as the tool's error result.
    #[non_exhaustive]
    Refused {
        /// The tool.
        tool_name: String,
        /// Who refused, and why.
        refusal: Refusal,
        /// What hooks tell the model beside it.
        injections: Vec<Injection>,
    },
    /// The tool ran, and its result is withheld. The model gets the reason.
    #[non_exhaustive]
    Withheld {
        /// The tool.
        tool_name: String,
        /// Who withheld it, and why.
        refusal: Refusal,
        /// What hooks tell the model beside it.
        injections: Vec<Injection>,
    },
}

/// A tool that ran.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolRun {
    /// The call as it ran.
    pub call: ToolCall,
    /// The result as the hooks left it.
    pub result: ToolResult,
    /// Whether hooks changed the arguments.
    pub args_rewritten: bool,
    /// Whether hooks changed the result.
    pub result_rewritten: bool,
    /// What hooks tell the model beside it.
    pub injections: Vec<Injection>,
}

impl ToolOutcome {
    /// The content of the tool's message to the model. What hooks want appended to a tool's result is at its end.
    pub fn for_model(&self) -> ModelText {
        let text = match self {
            Self::Ran(run) => run.result.text(),
            Self::Refused { refusal, .. } | Self::Withheld { refusal, .. } => refusal.for_model().into_string(),
        };
        let appended = self.all_injections().iter().filter(|injection| injection.append_to_last_tool_result);
        let parts = [text.as_str()].into_iter().chain(appended.map(|injection| injection.content.as_str()));
        ModelText::new(parts.collect::<Vec<_>>().join("\n\n"))
    }

    /// Whether the model is told that the call failed.
    pub fn is_error(&self) -> bool {
        match self {
            Self::Ran(run) => run.result.is_error,
            Self::Refused { .. } | Self::Withheld { .. } => true,
        }
    }

    /// What the user may be told, if something was stopped.
    pub fn for_user(&self) -> Option<UserText> {
        match self {
            Self::Ran(_) => None,
            Self::Refused { tool_name, refusal, .. } => {
                Some(UserText::new(format!("{tool_name} did not run: {}", refusal.reason())))
            }
            Self::Withheld { tool_name, refusal, .. } => {
                Some(UserText::new(format!("the result of {tool_name} is withheld: {}", refusal.reason())))
            }
        }
    }

    /// What hooks tell the model in messages of their own, to go after the tool's.
    pub fn injections(&self) -> impl Iterator<Item = &Injection> {
        self.all_injections().iter().filter(|injection| !injection.append_to_last_tool_result)
    }

    fn all_injections(&self) -> &[Injection] {
        match self {
            Self::Ran(ToolRun { injections, .. })
            | Self::Refused { injections, .. }
            | Self::Withheld { injections, .. } => injections,
        }
    }
}

impl Turn {
    /// Runs a tool call of the model, if the hooks, a person where they ask for one, and the policy let it pass; then
    /// shows its result to the hooks.
    ///
    /// `run` gets the call with the arguments as the hooks left them: use these, never the model's own. It is called at
    /// most once, and not at all if anybody refuses.
    pub async fn tool<F, R>(&self, call: ToolCall, run: impl FnOnce(ToolCall) -> F) -> ToolOutcome
    where
        F: Future<Output = R>,
        R: Into<ToolResult>,
    {
        let number = self.record.begin(&call);
        let outcome = match self.admit(call).await {
            Ok((call, admitted)) => {
                self.record.runs(number, &call.args);
                let result = run(call.clone()).await.into();
                self.judge_result(call, result, admitted).await
            }
            Err(refused) => refused,
        };
        self.place.emit_injections(outcome.all_injections());
        let word = match &outcome {
            ToolOutcome::Ran(_) => "ran",
            ToolOutcome::Refused { .. } => "refused",
            ToolOutcome::Withheld { .. } => "withheld",
        };
        self.record.settle(number, word, outcome.is_error());
        outcome
    }

    /// The call as it may run, or why it may not.
    async fn admit(&self, mut call: ToolCall) -> Result<(ToolCall, Passed), ToolOutcome> {
        let tool_name = call.name.clone();
        let refused = |refusal: Refusal, injections| {
            let (by, reason) = (refusal.by().clone(), refusal.reason().to_owned());
            self.place.emit(EventKind::ToolBlocked { tool_name: tool_name.clone(), by, reason });
            ToolOutcome::Refused { tool_name: tool_name.clone(), refusal, injections }
        };
        if let Some(refusal) = self.record.stopped() {
            return Err(refused(refusal, Vec::new()));
        }
        let asked = Call::pre_tool_use(&call.name, std::mem::take(&mut call.args));
        let mut passed = match pass(&self.place, asked).await {
            Ok(passed) => passed,
            Err((refusal, injections)) => return Err(refused(refusal, injections)),
        };
        call.args = passed.value();
        if !passed.rewritten_by.is_empty() {
            let (args, hooks) = (call.args.clone(), passed.rewritten_by.clone());
            self.place.emit(EventKind::ArgsRewritten { tool_name: tool_name.clone(), args, hooks });
        }
        match self.ask_policy(&call, passed.approved).await {
            Ok(()) => Ok((call, passed)),
            Err(refusal) => Err(refused(refusal, passed.injections)),
        }
    }

    /// The policy has the last say. Where it wants a person asked who has just allowed this very call, that holds.
    async fn ask_policy(&self, call: &ToolCall, approved: bool) -> Result<(), Refusal> {
        let session = self.place.session();
        let Some(policy) = &session.policy else { return Ok(()) };
        let question = PolicyQuestion {
            call,
            caller: session.caller.as_ref(),
            scope_id: session.scope_id.as_deref(),
            session_id: &session.id,
            turn_id: self.id(),
        };
        match judge(policy.as_ref(), question).await {
            PolicyVerdict::Allow => Ok(()),
            PolicyVerdict::Deny { reason } => Err(Refusal::new(RefusedBy::Policy, reason)),
            PolicyVerdict::Ask { .. } if approved => Ok(()),
            PolicyVerdict::Ask { reason } => {
                let question = Question {
                    point: &Point::PreToolUse,
                    payload: &tool_payload(call),
                    asked_by: vec![AskedBy { hook: None, reason }],
                    terms: Approval::default(),
                };
                ask(&self.place, question).await.map_err(|reason| Refusal::new(RefusedBy::Approval, reason))
            }
        }
    }

    async fn judge_result(&self, call: ToolCall, result: ToolResult, admitted: Passed) -> ToolOutcome {
        let ToolResult { value, is_error } = result;
        let Passed { rewritten_by: args_rewritten_by, mut injections, .. } = admitted;
        let asked = Call::post_tool_use(&call.name, call.args.clone(), value, is_error);
        match pass(&self.place, asked).await {
            Ok(mut passed) => {
                let value = passed.value();
                injections.append(&mut passed.injections);
                let hooks = passed.rewritten_by;
                let result_rewritten = !hooks.is_empty();
                if result_rewritten {
                    let (tool_name, result) = (call.name.clone(), value.clone());
                    self.place.emit(EventKind::ResultRewritten { tool_name, result, hooks });
                }
                ToolOutcome::Ran(ToolRun {
                    call,
                    result: ToolResult { value, is_error },
                    args_rewritten: !args_rewritten_by.is_empty(),
                    result_rewritten,
                    injections,
                })
            }
            Err((refusal, mut more)) => {
                injections.append(&mut more);
                let (tool_name, by, reason) = (call.name.clone(), refusal.by().clone(), refusal.reason().to_owned());
                self.place.emit(EventKind::ResultWithheld { tool_name, by, reason });
                ToolOutcome::Withheld { tool_name: call.name, refusal, injections }
            }
        }
    }
}

/// The payload that a person is asked about.
fn tool_payload(call: &ToolCall) -> JsonObject {
    let mut payload = JsonObject::new();
    payload.insert("toolName".to_owned(), json!(call.name));
    payload.insert("args".to_owned(), call.args.clone());
    payload
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_an_object_or_nothing() {
        assert_eq!(ToolCall::parse("t", r#"{"a": 1}"#).unwrap().args, json!({ "a": 1 }));
        assert_eq!(ToolCall::parse("t", " ").unwrap().args, json!({}));
        for (text, problem) in [("[1]", "they are no object"), ("{", "EOF")] {
            let error = ToolCall::parse("t", text).unwrap_err();
            assert!(error.for_model().as_str().contains(problem), "{error}");
        }
    }

    #[test]
    fn a_result_is_what_the_tool_gave_or_its_error() {
        let fine: ToolResult = Ok::<_, std::io::Error>("done").into();
        assert_eq!((fine.text(), fine.is_error), ("done".to_owned(), false));
        let bad: ToolResult = Err::<Value, _>("no such file").into();
        assert_eq!((bad.text(), bad.is_error), ("no such file".to_owned(), true));
        assert_eq!(ToolResult::from(json!({ "a": 1 })).text(), r#"{"a":1}"#);
    }
}
