//! Where in a turn a hook is called.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::words::{quoted, suggest};
use crate::{Capability, FailPolicy, JsonObject};

/// A place in the chat loop at which hooks are asked, or an event that hooks may follow.
///
/// In files it is a string: one of [`Point::NAMES`], or any name with a colon (`tool:pre`), which is an event.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Point {
    /// The user's text, before it is stored and before the model sees it.
    PreInput,
    /// A tool call that the model selected, before it runs.
    PreToolUse,
    /// A tool's result, before the model sees it.
    PostToolUse,
    /// The assistant's text, before it is stored and shown.
    PreOutput,
    /// The finished turn. Decisions here are only recorded.
    PostTurn,
    /// An event, named with a colon.
    Event(String),
}

impl Point {
    /// The names of the five points of a turn, in the order in which a turn reaches them.
    pub const NAMES: [&'static str; 5] = ["preInput", "preToolUse", "postToolUse", "preOutput", "postTurn"];

    /// The name that files and messages use.
    pub fn as_str(&self) -> &str {
        match self {
            Self::PreInput => "preInput",
            Self::PreToolUse => "preToolUse",
            Self::PostToolUse => "postToolUse",
            Self::PreOutput => "preOutput",
            Self::PostTurn => "postTurn",
            Self::Event(name) => name,
        }
    }

    /// True for an event, false for a point of a turn.
    pub fn is_event(&self) -> bool {
        matches!(self, Self::Event(_))
    }

    /// What a failing hook means here when its manifest does not say: closed where a guard stands, open where nothing
    /// can be stopped any more.
    pub fn default_fail_policy(&self) -> FailPolicy {
        match self {
            Self::PreInput | Self::PreToolUse | Self::PostToolUse | Self::PreOutput => FailPolicy::Closed,
            Self::PostTurn | Self::Event(_) => FailPolicy::Open,
        }
    }

    /// The one payload field that a `modify` may change, or `None` where no change has an effect.
    ///
    /// An event's data has no such field: see [`Point::is_event`].
    pub fn mutable_field(&self) -> Option<&'static str> {
        match self {
            Self::PreInput | Self::PreOutput => Some("text"),
            Self::PreToolUse => Some("args"),
            Self::PostToolUse => Some("result"),
            Self::PostTurn | Self::Event(_) => None,
        }
    }

    /// What a hook needs for a `modify` here where capabilities are enforced; `None` where it needs nothing.
    ///
    /// After the turn nothing changes, so nothing is needed. An event of the family `tool` is like a tool point; no
    /// capability speaks of the others.
    pub fn modify_capability(&self) -> Option<Capability> {
        match self {
            Self::PreInput => Some(Capability::ModifiesInput),
            Self::PreOutput => Some(Capability::ModifiesOutput),
            Self::PreToolUse | Self::PostToolUse => Some(Capability::ModifiesToolIo),
            Self::Event(_) if self.is_tool_event() => Some(Capability::ModifiesToolIo),
            Self::PostTurn | Self::Event(_) => None,
        }
    }

    /// What a hook needs for a `block` or an `ask` here where capabilities are enforced; `None` where it needs nothing.
    ///
    /// Tools have a gate: the tool points, and events of the family `tool`.
    pub fn stop_capability(&self) -> Option<Capability> {
        match self {
            Self::PreToolUse | Self::PostToolUse => Some(Capability::GatesTools),
            Self::Event(_) if self.is_tool_event() => Some(Capability::GatesTools),
            Self::PreInput | Self::PreOutput | Self::PostTurn | Self::Event(_) => None,
        }
    }

    /// True for `tool:pre`, `tool:post` and their like.
    fn is_tool_event(&self) -> bool {
        matches!(self, Self::Event(name) if name.starts_with("tool:"))
    }

    /// The tool that a payload at this point is about. Only the two tool points have one.
    pub fn tool_name<'p>(&self, payload: &'p JsonObject) -> Option<&'p str> {
        match self {
            Self::PreToolUse | Self::PostToolUse => payload.get("toolName")?.as_str(),
            _ => None,
        }
    }
}

/// A name that is neither a point nor an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown point `{given}`: {}", advice(.suggestion))]
pub struct UnknownPoint {
    /// The name that was given.
    pub given: String,
    /// The point that is close enough to be meant.
    pub suggestion: Option<&'static str>,
}

fn advice(suggestion: &Option<&'static str>) -> String {
    match suggestion {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("write one of {}, or an event name with a colon", quoted(&Point::NAMES)),
    }
}

impl FromStr for Point {
    type Err = UnknownPoint;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "preInput" => Ok(Self::PreInput),
            "preToolUse" => Ok(Self::PreToolUse),
            "postToolUse" => Ok(Self::PostToolUse),
            "preOutput" => Ok(Self::PreOutput),
            "postTurn" => Ok(Self::PostTurn),
            // `pre:ToolUse` is no event: a guard that is bound to it would never be called.
            _ if is_event_name(name) && as_point(name).is_none() => Ok(Self::Event(name.to_owned())),
            _ => Err(UnknownPoint {
                given: name.to_owned(),
                suggestion: as_point(name).or_else(|| suggest(name, Self::NAMES)),
            }),
        }
    }
}

/// The point that a name is, but for colons and case.
fn as_point(name: &str) -> Option<&'static str> {
    let bare = name.replace(':', "");
    Point::NAMES.into_iter().find(|point| point.eq_ignore_ascii_case(&bare))
}

/// Text on both sides of a colon, without blanks or control characters.
fn is_event_name(name: &str) -> bool {
    name.split_once(':').is_some_and(|(family, event)| !family.is_empty() && !event.is_empty())
        && !name.contains(|c: char| c.is_whitespace() || c.is_control())
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Point {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Point".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A point of a turn, or an event name with a colon.",
            "anyOf": [
                { "type": "string", "enum": Point::NAMES },
                { "type": "string", "pattern": "^[^\\s:]+:[^\\s]+$" },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for name in Point::NAMES.into_iter().chain(["tool:pre", "prompt:submit", "a:b:c"]) {
            assert_eq!(name.parse::<Point>().unwrap().as_str(), name);
        }
    }

    #[test]
    fn what_is_no_point_is_refused() {
        for name in ["pre:ToolUse", "PRE:input", "", ":", "a:", ":b", "tool: pre", "tool:\u{0}", "preTool", "PREINPUT"]
        {
            assert!(name.parse::<Point>().is_err(), "{name:?}");
        }
    }

    #[test]
    fn the_message_says_what_to_write() {
        let text = |name: &str| name.parse::<Point>().unwrap_err().to_string();
        assert_eq!(text("preTool"), "unknown point `preTool`: did you mean `preToolUse`?");
        assert_eq!(
            text("banana"),
            "unknown point `banana`: write one of `preInput`, `preToolUse`, `postToolUse`, `preOutput`, `postTurn`, \
             or an event name with a colon"
        );
    }

    #[test]
    fn guards_fail_closed_and_observers_open() {
        let policy = |name: &str| name.parse::<Point>().unwrap().default_fail_policy();
        for name in &Point::NAMES[..4] {
            assert_eq!(policy(name), FailPolicy::Closed, "{name}");
        }
        assert_eq!(policy("postTurn"), FailPolicy::Open);
        assert_eq!(policy("tool:pre"), FailPolicy::Open);
    }

    #[test]
    fn each_point_names_what_a_hook_needs_there() {
        use Capability::{GatesTools, ModifiesInput, ModifiesOutput, ModifiesToolIo};
        for (name, modify, stop) in [
            ("preInput", Some(ModifiesInput), None),
            ("preToolUse", Some(ModifiesToolIo), Some(GatesTools)),
            ("postToolUse", Some(ModifiesToolIo), Some(GatesTools)),
            ("preOutput", Some(ModifiesOutput), None),
            ("postTurn", None, None),
            ("tool:pre", Some(ModifiesToolIo), Some(GatesTools)),
            ("tool:post", Some(ModifiesToolIo), Some(GatesTools)),
            ("prompt:submit", None, None),
            ("my:tool:pre", None, None),
            ("toolbox:open", None, None),
        ] {
            let point: Point = name.parse().unwrap();
            assert_eq!((point.modify_capability(), point.stop_capability()), (modify, stop), "{name}");
        }
    }
}
