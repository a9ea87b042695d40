//! What `policy.json` says: which tools may run once the hooks have had their say.

use serde::{Deserialize, Serialize};

words! {
    /// What the policy makes of a tool call.
    PolicyAction as "action" {
        /// The tool runs.
        Allow = "allow",
        /// A person is asked before the tool runs.
        Ask = "ask",
        /// The tool does not run.
        Deny = "deny",
    }
}

/// The content of a `policy.json`.
///
/// An unknown key is an error, unlike in `hook.json`: a slip in it would change who may do what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(
        title = "policy.json",
        description = "Which tools may run once the hooks have had their say. The first rule that fits a tool decides."
    )
)]
#[serde(deny_unknown_fields)]
pub struct PolicyFile {
    /// The schema that editors check the file against. Nothing else reads it.
    #[serde(default, rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The rules, in order: the first one that fits the tool's name decides. Default: none.
    #[serde(default)]
    pub rules: Vec<PolicyRule>,
    /// What holds for a tool that no rule fits. Default `ask`: a tool that nobody thought of is a question.
    #[serde(default = "unthought_of")]
    pub default: PolicyAction,
}

fn unthought_of() -> PolicyAction {
    PolicyAction::Ask
}

impl PolicyFile {
    /// The keys of the file.
    pub const KEYS: &'static [&'static str] = &["$schema", "rules", "default"];
}

/// A policy without rules, as `{}` is read: every tool is a question.
impl Default for PolicyFile {
    fn default() -> Self {
        Self { schema: None, rules: Vec::new(), default: unthought_of() }
    }
}

/// One rule of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PolicyRule {
    /// Globs for the tool's whole name, in its own case; one that fits is enough. At least one.
    #[cfg_attr(feature = "schema", schemars(length(min = 1), inner(length(min = 1))))]
    pub tools: Vec<String>,
    /// What holds for these tools.
    pub action: PolicyAction,
    /// Why, for the person who is asked and for the model whose call is denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl PolicyRule {
    /// The keys of a rule.
    pub const KEYS: &'static [&'static str] = &["tools", "action", "reason"];
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn the_lists_of_keys_are_the_lists_of_fields() {
        let full = PolicyFile {
            schema: Some("policy.schema.json".into()),
            rules: vec![PolicyRule {
                tools: vec!["shell".into()],
                action: PolicyAction::Deny,
                reason: Some("r".into()),
            }],
            default: PolicyAction::Allow,
        };
        let json = serde_json::to_value(&full).unwrap();
        assert_eq!(keys(&json), PolicyFile::KEYS);
        assert_eq!(keys(&json["rules"][0]), PolicyRule::KEYS);
        assert_eq!(serde_json::from_value::<PolicyFile>(json).unwrap(), full);
    }

    #[test]
    fn a_tool_that_nobody_thought_of_is_a_question() {
        let empty: PolicyFile = serde_json::from_value(json!({})).unwrap();
        assert_eq!(empty, PolicyFile::default());
        assert_eq!(empty.default, PolicyAction::Ask);
    }

    #[test]
    fn a_slip_is_never_read_as_something_else() {
        for slip in [
            json!({ "rule": [] }),
            json!({ "defualt": "deny" }),
            json!({ "default": "Deny" }),
            json!({ "rules": [{ "action": "deny" }] }),
            json!({ "rules": [{ "tools": ["shell"] }] }),
            json!({ "rules": [{ "tools": ["shell"], "action": "deny", "unless": true }] }),
        ] {
            assert!(serde_json::from_value::<PolicyFile>(slip.clone()).is_err(), "{slip}");
        }
    }
}
