//! Fixture files (`*.fixture.json`): a call and what must come of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Action, Caller, JsonObject, Point};

/// The content of a fixture file: one fixture or a list of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(title = "Fixture file"))]
#[serde(untagged)]
pub enum Fixture {
    /// One fixture.
    One(Box<FixtureCall>),
    /// Several.
    Many(Vec<FixtureCall>),
}

/// One call of the hooks and what must come of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FixtureCall {
    /// The schema of this file, for editors.
    #[serde(default, rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Names the fixture in reports. Default: its place in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where the call is made.
    pub point: Point,
    /// Call only this hook. Default: the whole chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<String>,
    /// What the call is about.
    pub payload: JsonObject,
    /// `ctx.scopeId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_id: Option<String>,
    /// `ctx.context`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<BTreeMap<String, String>>,
    /// `ctx.caller`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Caller>,
    /// `ctx.env`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Merged over the hook's config.
    #[serde(default, skip_serializing_if = "JsonObject::is_empty")]
    pub config: JsonObject,
    /// What `ctx.store` holds: store, key, row.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stores: BTreeMap<String, BTreeMap<String, JsonObject>>,
    /// What must come of it.
    pub expect: Expect,
}

/// What must come of a fixture's call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Expect {
    /// The decision's action.
    pub action: Action,
    /// A part of the reason, or a regular expression between slashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The payload as it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<JsonObject>,
    /// Parts of log lines, each of which some line must contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    /// The longest the call may take, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub max_ms: Option<f64>,
}
