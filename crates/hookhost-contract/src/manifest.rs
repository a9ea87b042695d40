//! What `hook.json` says.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{JsonObject, Point};

words! {
    /// What a hook says it needs. `store:read` is always enforced. The others state intent, unless the host's sandbox
    /// enforces them; those that only read state intent even then.
    Capability as "capability" {
        /// Sees what the user wrote.
        ReadsInput = "reads_input",
        /// Rewrites what the user wrote.
        ModifiesInput = "modifies_input",
        /// Sees what the assistant wrote.
        ReadsOutput = "reads_output",
        /// Rewrites what the assistant wrote.
        ModifiesOutput = "modifies_output",
        /// Sees tool calls and results.
        ReadsToolIo = "reads_tool_io",
        /// Rewrites tool calls and results.
        ModifiesToolIo = "modifies_tool_io",
        /// Blocks tool calls or asks about them.
        GatesTools = "gates_tools",
        /// Reaches the network.
        Network = "network",
        /// Reads the host's environment.
        Secrets = "secrets",
        /// Reads the host's stores through `ctx.store`.
        StoreRead = "store:read",
    }
}

words! {
    /// What a failing hook means: `closed` blocks, `open` lets the call pass.
    FailPolicy as "failPolicy" {
        /// A failure lets the call pass. For hooks that only observe.
        Open = "open",
        /// A failure blocks the call.
        Closed = "closed",
    }
}

words! {
    /// Whether a hook decides or only watches.
    Mode as "mode" {
        /// The hook's answer counts. The default.
        Enforce = "enforce",
        /// The hook runs and is recorded, and never decides.
        Observe = "observe",
    }
}

/// The content of a `hook.json`.
///
/// [`Manifest::default`] is a manifest without points, which the loader refuses; it exists so that code can name the
/// fields it cares about.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(
        title = "hook.json",
        description = "What a hook folder says about its hook. Keys that are not listed here are kept and ignored."
    )
)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The hook's name, unique in the project. Default: the name of its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A short title for tools to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What the hook is for, for tools to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where the hook is called: points of a turn, or event names with a colon. At least one.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub points: Vec<Point>,
    /// What the hook needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<Capability>,
    /// The hosts that the capability `network` is for, where the host's sandbox is enforced: each `name` or `name:port`,
    /// a name perhaps with `*.` before it. An empty list is no host. Default: every host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_net: Option<Vec<String>>,
    /// What a failure of this hook means. Default: `closed` at preInput, preToolUse, postToolUse and preOutput; `open`
    /// at postTurn and for events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_policy: Option<FailPolicy>,
    /// Hooks run in ascending order; equal ones in the order they were loaded. Default 0.
    #[serde(default)]
    pub priority: f64,
    /// Handed to the hook's factory. `amodal.json` may override single keys.
    #[serde(default, skip_serializing_if = "JsonObject::is_empty")]
    pub config: JsonObject,
    /// The wall-clock limit of one call, in milliseconds. Default: the host's, 1500.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = crate::MAX_TIMEOUT_MS)))]
    pub timeout_ms: Option<f64>,
    /// Which calls the hook wants to see; tested before any JavaScript runs.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<Match>,
    /// Whether the hook decides or only watches. Default `enforce`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Keys that are not ours: kept, and otherwise ignored.
    #[serde(flatten)]
    pub extra: JsonObject,
}

impl Manifest {
    /// The keys a manifest may have. Others are kept and ignored.
    pub const KEYS: &'static [&'static str] = &[
        "$schema",
        "name",
        "label",
        "description",
        "points",
        "capabilities",
        "allowNet",
        "failPolicy",
        "priority",
        "config",
        "timeoutMs",
        "match",
        "mode",
    ];

    /// What a failure of this hook means at `point`.
    pub fn fail_policy_at(&self, point: &Point) -> FailPolicy {
        self.fail_policy.unwrap_or_else(|| point.default_fail_policy())
    }

    /// The hook's own wall-clock limit, if it has one.
    pub fn timeout(&self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.timeout_ms? / 1000.0).ok()
    }

    /// Whether the hook decides or only watches.
    pub fn mode(&self) -> Mode {
        self.mode.unwrap_or(Mode::Enforce)
    }

    /// True if the hook declared `capability`.
    pub fn has(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }
}

/// Which calls a hook wants to see.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Match {
    /// Globs for the tool's name, at the points that have one; one that fits is enough. A call whose payload names no
    /// tool is never filtered out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub tool_name: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_keys_is_the_list_of_fields() {
        let full = Manifest {
            name: Some("n".into()),
            label: Some("l".into()),
            description: Some("d".into()),
            points: vec![Point::PreInput],
            allow_net: Some(vec!["api.example.com".into()]),
            capabilities: Capability::ALL.to_vec(),
            fail_policy: Some(FailPolicy::Open),
            priority: 1.5,
            config: serde_json::Map::from_iter([("k".into(), 1.into())]),
            timeout_ms: Some(20.0),
            matches: Some(Match::default()),
            mode: Some(Mode::Observe),
            extra: JsonObject::new(),
        };
        let json = serde_json::to_value(&full).unwrap();
        let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, Manifest::KEYS[1..]);
        assert_eq!(serde_json::from_value::<Manifest>(json).unwrap(), full);
    }

    #[test]
    fn unknown_keys_are_kept() {
        let manifest: Manifest = serde_json::from_str(r#"{"points":["preInput"],"owner":"me"}"#).unwrap();
        assert_eq!(manifest.extra["owner"], "me");
        assert_eq!(manifest.mode(), Mode::Enforce);
        assert_eq!(manifest.fail_policy_at(&Point::PreInput), FailPolicy::Closed);
    }
}
