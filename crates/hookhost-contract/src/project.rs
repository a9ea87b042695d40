//! What `amodal.json` says about hooks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JsonObject;

/// The parts of `amodal.json` that concern hooks. The file may hold more; the rest is not ours and is ignored.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(title = "amodal.json"))]
pub struct ProjectConfig {
    /// How the project's hooks are ordered, switched off and configured.
    #[serde(default)]
    pub hooks: HookSettings,
    /// Installed packages that contribute hooks.
    #[serde(default)]
    pub packages: Vec<PackageEntry>,
}

/// The `hooks` block of `amodal.json`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookSettings {
    /// These hooks run first, in this order; the rest follow by priority.
    #[serde(default)]
    pub order: Vec<String>,
    /// These hooks are listed and never called.
    #[serde(default)]
    pub disabled: Vec<String>,
    /// Per hook: keys that replace the same keys of the manifest's `config`.
    #[serde(default)]
    pub config: BTreeMap<String, JsonObject>,
}

impl HookSettings {
    /// The keys of the block.
    pub const KEYS: &'static [&'static str] = &["order", "disabled", "config"];
}

/// A package that contributes the hooks in its `hooks/` folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PackageEntry {
    /// The package's name: all of its hooks.
    Name(String),
    /// A package and what to use of it.
    Selected {
        /// The package's name.
        package: String,
        /// `hooks.<name>` entries. Empty: all hooks. Not empty and without any such entry: none.
        #[serde(default, rename = "use")]
        uses: Vec<String>,
    },
}

impl PackageEntry {
    /// The package's name.
    pub fn package(&self) -> &str {
        match self {
            Self::Name(name) => name,
            Self::Selected { package, .. } => package,
        }
    }

    /// The names of the hooks to take, or `None` for all of them.
    pub fn selected_hooks(&self) -> Option<Vec<&str>> {
        match self {
            Self::Name(_) => None,
            Self::Selected { uses, .. } if uses.is_empty() => None,
            Self::Selected { uses, .. } => Some(uses.iter().filter_map(|entry| entry.strip_prefix("hooks.")).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(json: &str) -> Option<Vec<String>> {
        let entry: PackageEntry = serde_json::from_str(json).unwrap();
        assert_eq!(entry.package(), "@acme/pack");
        entry.selected_hooks().map(|names| names.into_iter().map(str::to_owned).collect())
    }

    #[test]
    fn what_a_package_entry_selects() {
        assert_eq!(selected(r#""@acme/pack""#), None);
        assert_eq!(selected(r#"{"package":"@acme/pack"}"#), None);
        assert_eq!(selected(r#"{"package":"@acme/pack","use":[]}"#), None);
        assert_eq!(selected(r#"{"package":"@acme/pack","use":["tools.x"]}"#), Some(vec![]));
        assert_eq!(
            selected(r#"{"package":"@acme/pack","use":["hooks.a","tools.x","hooks.b"]}"#),
            Some(vec!["a".to_owned(), "b".to_owned()])
        );
    }
}
