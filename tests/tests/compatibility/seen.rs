//! What Node 20 has, and what a hook has, in the same words.

use std::collections::BTreeMap;

use hookhost_tests::Fault;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::probe::Probe;

/// What there is in one place: everything but the facts.
#[derive(Deserialize)]
pub(crate) struct Seen {
    pub(crate) globals: BTreeMap<String, Export>,
    pub(crate) modules: BTreeMap<String, Builtin>,
    /// What came of calling things: by module, and by what was called.
    pub(crate) checks: BTreeMap<String, BTreeMap<String, Value>>,
}

/// `node20.json`.
#[derive(Deserialize)]
pub(crate) struct Reference {
    pub(crate) version: String,
    pub(crate) seen: Seen,
    pub(crate) facts: BTreeMap<String, Facts>,
}

/// What came of each fact, in the order of the file that has them.
pub(crate) type Facts = serde_json::Map<String, Value>;

/// A global, or what a module exports.
#[derive(Deserialize)]
pub(crate) struct Export {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The members that are not internal. Those of instances begin with `#`.
    #[serde(default)]
    pub(crate) members: Vec<String>,
    /// It can be imported by its name.
    #[serde(default)]
    pub(crate) named: bool,
}

/// A module that is built in.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Builtin {
    /// `true`, or why not; and so for the others.
    pub(crate) import: Value,
    pub(crate) require: Value,
    pub(crate) import_without_prefix: Option<Value>,
    pub(crate) require_without_prefix: Option<Value>,
    #[serde(default)]
    pub(crate) names: BTreeMap<String, Export>,
}

impl Builtin {
    pub(crate) fn loads(&self) -> bool {
        self.import == true && self.require == true
    }
}

impl Seen {
    /// Asks for all that Node has.
    pub(crate) fn by(probe: &mut Probe, node: &Self) -> Result<Self, Fault> {
        let globals = probe.asked(&json!({ "what": "globals" }))?;
        let mut modules = BTreeMap::new();
        for (name, builtin) in &node.modules {
            let names: Vec<_> = builtin.names.keys().collect();
            let question = json!({ "what": "builtin", "name": name, "names": names });
            modules.insert(name.clone(), probe.asked(&question)?);
        }
        let mut checks = BTreeMap::new();
        for name in node.checks.keys() {
            // What calls a module is no use where there are none.
            if name == GLOBALS || modules.values().any(Builtin::loads) {
                checks.insert(name.clone(), probe.asked(&json!({ "what": "checks", "name": name }))?);
            }
        }
        Ok(Self { globals, modules, checks })
    }
}

/// The group of checks that are about globals.
pub(crate) const GLOBALS: &str = "globalThis";

/// Asks for each fact of a group.
pub(crate) fn facts(probe: &mut Probe, group: &str) -> Result<Facts, Fault> {
    let names: Vec<String> = probe.asked(&json!({ "what": "facts", "name": group }))?;
    let mut facts = Facts::new();
    for name in names {
        let seen = probe.ask(&json!({ "what": "fact", "name": [group, name] }))?;
        facts.insert(name, seen);
    }
    Ok(facts)
}
