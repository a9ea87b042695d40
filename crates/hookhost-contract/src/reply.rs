//! What one hook answers, and which answers count.
//!
//! The rule behind every choice here: a reply that means to stop a call stops it, however sloppily its reason and
//! terms are written; a reply that cannot be understood is a failure, for the fail policy to decide; nothing unclear is
//! an allow.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::json_kind;
use crate::{Action, JsonObject, UnknownWord};

/// The fields of a reply that are read. The engine takes these and no others across the boundary.
pub const REPLY_FIELDS: &[&str] = &[
    "action",
    "reason",
    "payload",
    "note",
    "data",
    "context_injection",
    "context_injection_role",
    "ephemeral",
    "append_to_last_tool_result",
    "approval_prompt",
    "approval_options",
    "approval_timeout",
    "approval_default",
    "user_message",
    "user_message_level",
];

/// The actions that stop a call, for good or until a person has decided.
pub const STOP_WORDS: &[&str] = &["block", "deny", "ask", "ask_user"];

words! {
    /// The words that `action` may have: those of a turn's points first, then those of events.
    ReplyAction as "action" {
        /// Go on.
        Allow = "allow",
        /// Stop.
        Block = "block",
        /// Go on with another payload.
        Modify = "modify",
        /// Let a person decide.
        Ask = "ask",
        /// Same as allow.
        Continue = "continue",
        /// Same as block.
        Deny = "deny",
        /// Same as ask.
        AskUser = "ask_user",
        /// Go on, and tell the model something.
        InjectContext = "inject_context",
    }
}

words! {
    /// The role of a message that a hook adds to the conversation.
    InjectionRole as "context_injection_role" {
        /// Feedback from the environment. The default.
        System = "system",
        /// As if the user had said it.
        User = "user",
        /// As if the assistant had said it.
        Assistant = "assistant",
    }
}

words! {
    /// How serious a message to the user is.
    MessageLevel as "user_message_level" {
        /// A status update. The default.
        Info = "info",
        /// A warning.
        Warning = "warning",
        /// An error.
        Error = "error",
    }
}

words! {
    /// What no answer from the user means.
    ApprovalDefault as "approval_default" {
        /// Go on.
        Allow = "allow",
        /// Stop. The default.
        Deny = "deny",
    }
}

/// The answer of one hook.
#[derive(Debug, Clone, PartialEq)]
pub enum HookDecision {
    /// Go on.
    Allow,
    /// Stop.
    Block {
        /// Why. The chain fills in a default.
        reason: Option<String>,
    },
    /// Go on with another payload.
    Modify {
        /// Shallow-merged over the payload; only the point's mutable field counts.
        payload: JsonObject,
        /// Why, for the record.
        note: Option<String>,
    },
    /// Let a person decide.
    Ask {
        /// Why. The chain fills in a default.
        reason: Option<String>,
        /// How to ask.
        approval: Approval,
    },
    /// Go on, and tell the model something.
    Inject(Injection),
}

impl HookDecision {
    /// The action in the words of a merged decision.
    pub fn action(&self) -> Action {
        match self {
            Self::Allow => Action::Allow,
            Self::Block { .. } => Action::Block,
            Self::Modify { .. } => Action::Modify,
            Self::Ask { .. } => Action::Ask,
            Self::Inject(_) => Action::Inject,
        }
    }
}

/// How to ask a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The question. Default: the reason of the ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The answers to choose from. Default: allow or deny.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// Seconds to wait for an answer: more than 0, a year at most. Default 300.
    pub timeout_seconds: f64,
    /// What no answer means. Default: deny.
    pub default: ApprovalDefault,
}

impl Default for Approval {
    fn default() -> Self {
        Self { prompt: None, options: None, timeout_seconds: 300.0, default: ApprovalDefault::Deny }
    }
}

/// Something that a hook tells the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Injection {
    /// The hook that said it. The chain fills it in.
    #[serde(default)]
    pub hook: String,
    /// What it says.
    pub content: String,
    /// In whose name.
    pub role: InjectionRole,
    /// Only for the next model call, not kept in the history.
    pub ephemeral: bool,
    /// Added to the last tool result instead of a message of its own.
    pub append_to_last_tool_result: bool,
}

/// Something that a hook tells the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserMessage {
    /// What it says.
    pub text: String,
    /// How serious it is.
    pub level: MessageLevel,
}

/// A reply that was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// What the hook decided.
    pub decision: HookDecision,
    /// What the user is told beside it.
    pub message: Option<UserMessage>,
}

/// A reply that is not one of the known answers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReply {
    /// Not an object at all.
    #[error("run returned {0}: return an object such as {{ action: 'allow' }}")]
    NotAnObject(&'static str),
    /// An object without an `action`.
    #[error("the reply has no `action`: return {{ action: 'allow' }}, or block, modify or ask")]
    NoAction,
    /// An `action` that is not a string.
    #[error("the reply's `action` is {0}: write one of 'allow', 'block', 'modify', 'ask'")]
    ActionNotAString(&'static str),
    /// An `action` that is not one of the words.
    #[error(transparent)]
    UnknownAction(#[from] UnknownWord),
    /// A `modify` without an object to merge.
    #[error("the reply is a modify, but its `payload` is {0}: return {{ action: 'modify', payload: {{ ... }} }}")]
    PayloadNotAnObject(&'static str),
    /// An `inject_context` without a text.
    #[error("the reply is an inject_context, but its `context_injection` is {0}: write the text to inject")]
    InjectionNotAString(&'static str),
    /// A `modify` whose value the loop cannot use in that field.
    #[error("the reply is a modify, but its `payload.{field}` is {found}: write {wanted}")]
    UnusableField {
        /// The payload field.
        field: &'static str,
        /// What the reply has there.
        found: &'static str,
        /// What the loop can use.
        wanted: &'static str,
    },
}

impl InvalidReply {
    /// A `modify` that puts `found` where the loop needs `wanted`.
    pub fn unusable_field(field: &'static str, found: &Value, wanted: &'static str) -> Self {
        Self::UnusableField { field, found: json_kind(found), wanted }
    }
}

impl Reply {
    /// Reads what a hook returned.
    ///
    /// # Errors
    /// [`InvalidReply`] when it is not one of the known answers.
    pub fn parse(value: &Value) -> Result<Self, InvalidReply> {
        let Value::Object(fields) = value else {
            return Err(InvalidReply::NotAnObject(json_kind(value)));
        };
        let action = match fields.get("action") {
            None | Some(Value::Null) => return Err(InvalidReply::NoAction),
            Some(Value::String(word)) => word.parse::<ReplyAction>()?,
            Some(other) => return Err(InvalidReply::ActionNotAString(json_kind(other))),
        };
        let decision = match action {
            ReplyAction::Allow | ReplyAction::Continue => HookDecision::Allow,
            ReplyAction::Block | ReplyAction::Deny => HookDecision::Block { reason: text(fields, "reason") },
            ReplyAction::Modify => HookDecision::Modify { payload: modified(fields)?, note: text(fields, "note") },
            ReplyAction::Ask | ReplyAction::AskUser => {
                HookDecision::Ask { reason: text(fields, "reason"), approval: approval(fields) }
            }
            ReplyAction::InjectContext => HookDecision::Inject(injection(fields)?),
        };
        let message = text(fields, "user_message")
            .map(|text| UserMessage { text, level: word(fields, "user_message_level").unwrap_or(MessageLevel::Info) });
        Ok(Self { decision, message })
    }
}

/// A text that says something. Another type, or a blank, is the same as none: it must not weaken the action.
fn text(fields: &JsonObject, key: &str) -> Option<String> {
    fields.get(key)?.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

fn flag(fields: &JsonObject, key: &str) -> bool {
    fields.get(key).and_then(Value::as_bool).unwrap_or(false)
}

fn word<T: std::str::FromStr>(fields: &JsonObject, key: &str) -> Option<T> {
    fields.get(key)?.as_str()?.parse().ok()
}

/// `payload` is the word of a turn's points, `data` that of events.
fn modified(fields: &JsonObject) -> Result<JsonObject, InvalidReply> {
    match fields.get("payload").or_else(|| fields.get("data")) {
        Some(Value::Object(payload)) => Ok(payload.clone()),
        Some(other) => Err(InvalidReply::PayloadNotAnObject(json_kind(other))),
        None => Err(InvalidReply::PayloadNotAnObject("missing")),
    }
}

/// A year, in seconds: nobody is asked for longer, and every clock can express it.
const LONGEST_APPROVAL: f64 = 366.0 * 24.0 * 3600.0;

/// Terms that make no sense fall back to the defaults, the safest ones: an ask stays an ask.
fn approval(fields: &JsonObject) -> Approval {
    let defaults = Approval::default();
    Approval {
        prompt: text(fields, "approval_prompt"),
        options: fields
            .get("approval_options")
            .and_then(Value::as_array)
            .map(|options| options.iter().filter_map(|option| option.as_str().map(str::to_owned)).collect())
            .filter(|options: &Vec<String>| !options.is_empty()),
        timeout_seconds: fields
            .get("approval_timeout")
            .and_then(Value::as_f64)
            .filter(|seconds| *seconds > 0.0 && *seconds <= LONGEST_APPROVAL)
            .unwrap_or(defaults.timeout_seconds),
        default: word(fields, "approval_default").unwrap_or(defaults.default),
    }
}

fn injection(fields: &JsonObject) -> Result<Injection, InvalidReply> {
    let content = match fields.get("context_injection") {
        Some(Value::String(content)) => content.clone(),
        Some(other) => return Err(InvalidReply::InjectionNotAString(json_kind(other))),
        None => return Err(InvalidReply::InjectionNotAString("missing")),
    };
    Ok(Injection {
        hook: String::new(),
        content,
        role: word(fields, "context_injection_role").unwrap_or(InjectionRole::System),
        ephemeral: flag(fields, "ephemeral"),
        append_to_last_tool_result: flag(fields, "append_to_last_tool_result"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn decision(value: Value) -> HookDecision {
        Reply::parse(&value).unwrap().decision
    }

    fn refusal(value: Value) -> String {
        Reply::parse(&value).unwrap_err().to_string()
    }

    #[test]
    fn each_word_has_its_decision() {
        assert_eq!(decision(json!({"action": "allow"})), HookDecision::Allow);
        assert_eq!(decision(json!({"action": "continue"})), HookDecision::Allow);
        for word in ["block", "deny"] {
            let expected = HookDecision::Block { reason: Some("no".into()) };
            assert_eq!(decision(json!({"action": word, "reason": "no"})), expected);
        }
        for word in ["ask", "ask_user"] {
            let expected = HookDecision::Ask { reason: Some("sure?".into()), approval: Approval::default() };
            assert_eq!(decision(json!({"action": word, "reason": "sure?"})), expected);
        }
        for key in ["payload", "data"] {
            let payload = JsonObject::from_iter([("text".into(), json!("x"))]);
            let expected = HookDecision::Modify { payload, note: Some("why".into()) };
            assert_eq!(decision(json!({"action": "modify", key: {"text": "x"}, "note": "why"})), expected);
        }
        let expected = HookDecision::Inject(Injection {
            hook: String::new(),
            content: "look".into(),
            role: InjectionRole::User,
            ephemeral: true,
            append_to_last_tool_result: false,
        });
        let reply = json!({"action": "inject_context", "context_injection": "look", "context_injection_role": "user",
            "ephemeral": true});
        assert_eq!(decision(reply), expected);
    }

    #[test]
    fn what_is_no_answer_is_a_failure() {
        for value in [
            json!(null),
            json!(true),
            json!(1),
            json!("allow"),
            json!(["allow"]),
            json!({}),
            json!({"action": null}),
            json!({"action": true}),
            json!({"action": ["block"]}),
            json!({"action": "Block"}),
            json!({"action": " block"}),
            json!({"action": "allow\n"}),
            json!({"action": ""}),
            json!({"action": "modify"}),
            json!({"action": "modify", "payload": null}),
            json!({"action": "modify", "payload": "text"}),
            json!({"action": "modify", "payload": ["text"]}),
            json!({"action": "inject_context"}),
            json!({"action": "inject_context", "context_injection": 3}),
        ] {
            assert!(Reply::parse(&value).is_err(), "{value}");
        }
    }

    #[test]
    fn the_words_that_stop_are_those_whose_decision_stops() {
        for word in ReplyAction::WORDS {
            let reply = json!({"action": word, "payload": {}, "context_injection": ""});
            assert_eq!(STOP_WORDS.contains(word), decision(reply).action() >= Action::Ask, "{word}");
        }
    }

    #[test]
    fn a_block_stays_a_block_however_it_is_written() {
        for reason in [json!(null), json!(42), json!({"a": 1}), json!(["x"]), json!(""), json!("  ")] {
            assert_eq!(decision(json!({"action": "block", "reason": reason})), HookDecision::Block { reason: None });
        }
    }

    #[test]
    fn an_ask_with_odd_terms_gets_the_safe_ones() {
        let odd = json!({"action": "ask_user", "approval_default": "yes", "approval_timeout": -1, "approval_options": 3,
            "approval_prompt": 7, "reason": 9});
        assert_eq!(decision(odd), HookDecision::Ask { reason: None, approval: Approval::default() });
        let own = json!({"action": "ask_user", "approval_default": "allow", "approval_timeout": 5,
            "approval_options": ["Yes", 3, "No"], "approval_prompt": "Go?"});
        let HookDecision::Ask { approval, .. } = decision(own) else { panic!("an ask") };
        assert_eq!(
            approval,
            Approval {
                prompt: Some("Go?".into()),
                options: Some(vec!["Yes".into(), "No".into()]),
                timeout_seconds: 5.0,
                default: ApprovalDefault::Allow
            }
        );
    }

    #[test]
    fn a_message_goes_with_any_decision() {
        let reply =
            Reply::parse(&json!({"action": "allow", "user_message": "done", "user_message_level": "warning"})).unwrap();
        assert_eq!(reply.message, Some(UserMessage { text: "done".into(), level: MessageLevel::Warning }));
    }

    #[test]
    fn refusals_say_what_to_write() {
        assert_eq!(refusal(json!("allow")), "run returned a string: return an object such as { action: 'allow' }");
        assert_eq!(refusal(json!({"action": "Block"})), "unknown action `Block`: did you mean `block`?");
        assert_eq!(
            refusal(json!({"action": "modify", "payload": "x"})),
            "the reply is a modify, but its `payload` is a string: return { action: 'modify', payload: { ... } }"
        );
        assert_eq!(
            InvalidReply::unusable_field("text", &json!(3), "a string").to_string(),
            "the reply is a modify, but its `payload.text` is a number: write a string"
        );
    }
}
