//! Fixture files (`*.fixture.json`): calls and what must come of them.
//!
//! A file holds one fixture, a list of them, or a list with defaults. What a fixture leaves out comes from the defaults of
//! its file; what a step leaves out comes from its fixture. Objects are laid over each other key by key.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Action, Caller, Decision, FailureCause, JsonObject, Point};

/// What a fixture file is called by: everything that ends in this.
pub const FIXTURE_SUFFIX: &str = ".fixture.json";

/// The content of a fixture file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(title = "Fixture file"))]
#[serde(untagged)]
pub enum FixtureFile {
    /// Several, with what they have in common.
    Shared(Box<SharedFixtures>),
    /// One fixture.
    One(Box<Fixture>),
    /// Several.
    Many(Vec<Fixture>),
}

/// Several fixtures and what they have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SharedFixtures {
    /// The schema of this file, for editors.
    #[serde(default, rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// What holds for every fixture that does not say otherwise. Objects are laid over each other key by key.
    #[serde(default)]
    pub defaults: FixtureDefaults,
    /// The fixtures.
    pub fixtures: Vec<Fixture>,
}

/// What fixtures of a file have in common.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FixtureDefaults {
    /// Where the call is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// Call only this hook. Default: the whole chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<String>,
    /// What the call is about.
    #[serde(default, deserialize_with = "crate::json::plain_object", skip_serializing_if = "Option::is_none")]
    pub payload: Option<JsonObject>,
    /// `ctx.scopeId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_id: Option<String>,
    /// `ctx.context`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<BTreeMap<String, String>>,
    /// `ctx.caller`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Caller>,
    /// `ctx.sessionId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// `ctx.turnId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// `ctx.env`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Laid over the hook's config. For a fixture of the whole chain: by the hook's name.
    #[serde(default, deserialize_with = "crate::json::plain_object", skip_serializing_if = "Option::is_none")]
    pub config: Option<JsonObject>,
    /// What `ctx.store` holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stores: Option<FixtureStores>,
    /// Begin with a hook that was just loaded, whatever other fixtures of the file have done with it. Default: no; fixtures
    /// with `steps` always do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh: Option<bool>,
}

/// One call of the hooks, or several in a row, and what must come of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fixture {
    /// The schema of this file, for editors.
    #[serde(default, rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Names the fixture in reports. Default: its place in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where the call is made. Needed here or in the defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// Call only this hook. Default: the whole chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<String>,
    /// What the call is about. Needed here or in the defaults.
    #[serde(default, deserialize_with = "crate::json::plain_object", skip_serializing_if = "Option::is_none")]
    pub payload: Option<JsonObject>,
    /// `ctx.scopeId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_id: Option<String>,
    /// `ctx.context`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<BTreeMap<String, String>>,
    /// `ctx.caller`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Caller>,
    /// `ctx.sessionId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// `ctx.turnId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// `ctx.env`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Laid over the hook's config. For a fixture of the whole chain: by the hook's name.
    #[serde(default, deserialize_with = "crate::json::plain_object", skip_serializing_if = "Option::is_none")]
    pub config: Option<JsonObject>,
    /// What `ctx.store` holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stores: Option<FixtureStores>,
    /// Begin with a hook that was just loaded, whatever other fixtures of the file have done with it. Default: no; fixtures
    /// with `steps` always do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh: Option<bool>,
    /// What must come of the call. A fixture with `steps` has it in each step instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expect>,
    /// Several calls in a row of the same hooks, which begin fresh: for hooks that remember.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<FixtureStep>,
}

/// One of several calls in a fixture. What it leaves out comes from the fixture.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FixtureStep {
    /// Names the step in reports. Default: its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where the call is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// Call only this hook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<String>,
    /// What the call is about.
    #[serde(default, deserialize_with = "crate::json::plain_object", skip_serializing_if = "Option::is_none")]
    pub payload: Option<JsonObject>,
    /// `ctx.scopeId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_id: Option<String>,
    /// `ctx.context`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<BTreeMap<String, String>>,
    /// `ctx.caller`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Caller>,
    /// `ctx.sessionId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// `ctx.turnId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// What `ctx.store` holds from here on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stores: Option<FixtureStores>,
    /// What must come of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expect>,
}

/// What `ctx.store` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FixtureStores {
    /// A file or a folder, as `--store` takes it; relative to the fixture file.
    Path(String),
    /// Store, key, row.
    Rows(BTreeMap<String, BTreeMap<String, JsonObject>>),
}

/// What must come of a fixture's call. What is left out is not looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Expect {
    /// The decision's action.
    pub action: Action,
    /// A part of the reason, or a regular expression between slashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The hook that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<String>,
    /// The payload as it goes on, whole.
    #[serde(default, deserialize_with = "crate::json::plain_object", skip_serializing_if = "Option::is_none")]
    pub payload: Option<JsonObject>,
    /// Parts of log lines, each of which some line must contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    /// Parts of what the user is told, each of which some message must contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// Parts of what the model is told, each of which some injection must contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub injections: Vec<String>,
    /// Every hook that is asked, in order. An empty list: none is, since no `match` fits the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ran: Option<Vec<String>>,
    /// A hook fails, in this way. Without it, a hook that fails is an error of the fixture, whatever its fail policy makes of
    /// the failure; unless `reason` speaks of that failure, with the word `failed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureCause>,
    /// The longest the call may take, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub max_ms: Option<f64>,
}

impl Expect {
    /// An expectation of an action and nothing else.
    pub fn new(action: Action) -> Self {
        Self {
            action,
            reason: None,
            hook: None,
            payload: None,
            logs: Vec::new(),
            messages: Vec::new(),
            injections: Vec::new(),
            ran: None,
            failure: None,
            max_ms: None,
        }
    }

    /// What came of a call, as the expectation of the same: the action, and the reason, the payload and the failure where
    /// there are any. Not the logs, and not the time, which are different from call to call.
    pub fn of(decision: &Decision) -> Self {
        Self {
            reason: decision.reason.as_deref().map(Self::literal_reason),
            payload: (decision.output != decision.input).then(|| decision.output.clone()),
            failure: decision.runs.iter().find_map(|run| Some(run.failure.as_ref()?.cause)),
            ran: decision.runs.is_empty().then(Vec::new),
            ..Self::new(decision.action)
        }
    }

    /// A reason as [`Expect::reason`] takes it. One between slashes would be read as a regular expression; without its
    /// first slash it is a part of itself.
    pub fn literal_reason(reason: &str) -> String {
        match reason.strip_prefix('/') {
            Some(rest) if rest.ends_with('/') && rest.len() > 1 => Self::literal_reason(rest),
            _ => reason.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_form_of_a_file_is_told_from_the_others() {
        let one = json!({ "point": "preInput", "payload": {}, "expect": { "action": "allow" } });
        let shared = json!({ "defaults": { "point": "preInput" }, "fixtures": [one] });
        assert!(matches!(serde_json::from_value(one.clone()).unwrap(), FixtureFile::One(_)));
        assert!(matches!(serde_json::from_value(json!([one])).unwrap(), FixtureFile::Many(_)));
        assert!(matches!(serde_json::from_value(shared).unwrap(), FixtureFile::Shared(_)));
    }

    #[test]
    fn no_layer_takes_an_unknown_key() {
        assert!(serde_json::from_value::<Fixture>(json!({ "pont": "preInput" })).is_err());
        assert!(serde_json::from_value::<FixtureStep>(json!({ "config": {} })).is_err());
        assert!(serde_json::from_value::<FixtureDefaults>(json!({ "expect": { "action": "allow" } })).is_err());
        assert!(serde_json::from_value::<Expect>(json!({ "action": "allow", "maxMS": 3 })).is_err());
    }

    #[test]
    fn a_reason_is_never_taken_for_a_regular_expression() {
        for (reason, literal) in [("no", "no"), ("/a/", "a/"), ("//a/", "a/"), ("/", "/"), ("//", "//"), ("/a", "/a")] {
            assert_eq!(Expect::literal_reason(reason), literal);
        }
    }

    #[test]
    fn a_payload_is_kept_as_it_stands() {
        let text = r#"{"payload":{"$serde_json::private::RawValue":"hidden"}}"#;
        let fixture: Fixture = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&fixture).unwrap(), text);
    }
}
