//! Reads `policy.json`. The first thing that is wrong ends it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use globset::Glob;
use hookhost_contract::{PolicyAction, PolicyFile, PolicyRule, suggest};
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;

use super::judge::Place;
use super::{CompiledPolicy, PolicyError};
use crate::file::read_text;
use crate::json::{self, Fault};
use crate::text::{listed, shown};
use crate::word::parse_word;
use crate::{Position, glob};

/// The usual file name of a tool policy.
pub const POLICY_FILE: &str = "policy.json";

/// How many globs all rules may have together. Each is compiled by itself: a thousand of the
/// costliest take some 40 MB.
const MAX_GLOBS: usize = 1000;

const ACTIONS: &str = "`\"allow\"`, `\"ask\"` or `\"deny\"`";
const A_RULE: &str = "an object, as in `{\"tools\": [\"shell\"], \"action\": \"ask\"}`";

/// A policy as it was read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LoadedPolicy {
    /// The file's path, as it was given.
    pub file: PathBuf,
    /// What the file says.
    pub policy: PolicyFile,
    /// The line each rule starts at, from 1, in the order of the rules.
    pub rule_lines: Vec<usize>,
    /// The same, ready to judge tools.
    pub compiled: CompiledPolicy,
}

/// Reads the tool policy in the file `path`.
///
/// # Errors
/// There is no such file, it cannot be read or is not JSON, or anything in it is not part of a policy: an unknown key,
/// a key that is missing or written twice, a wrong type, an unknown action, an empty `tools`, a glob that is none, more
/// than 1000 globs. Nothing is passed over, since what a slip leaves out would change who may do what.
pub fn load_policy(path: &Path) -> Result<LoadedPolicy, PolicyError> {
    let file = || path.to_path_buf();
    let text = read_text(path).map_err(|fault| PolicyError::Unreadable { file: file(), fault })?;
    parse(path, &text.ok_or_else(|| PolicyError::NotFound { file: file() })?)
}

/// Reads the policy in `text`, which is that of the file `path`.
pub(crate) fn parse(path: &Path, text: &str) -> Result<LoadedPolicy, PolicyError> {
    let file = path.to_path_buf();
    let position = |fault: &Fault| Position::of(text, fault.offset);
    let document = match json::parse(text) {
        Ok(document) => document,
        Err(fault) => return Err(PolicyError::Syntax { file, position: position(&fault), message: fault.message }),
    };
    let reading = match Reading::of(&document.tree) {
        Ok(reading) => reading,
        Err(fault) => return Err(PolicyError::Invalid { file, position: position(&fault), message: fault.message }),
    };
    let place = Place::new(path, &reading.rule_offsets, reading.default_offset, text);
    let rule_lines = place.rule_lines.clone();
    let compiled = CompiledPolicy::new(&reading.policy, &reading.globs, place);
    Ok(LoadedPolicy { file, policy: reading.policy, rule_lines, compiled })
}

/// What the text says, and the bytes where it says so.
#[derive(Default)]
struct Reading {
    policy: PolicyFile,
    /// Each rule's globs, compiled.
    globs: Vec<Vec<Glob>>,
    rule_offsets: Vec<usize>,
    default_offset: Option<usize>,
}

impl Reading {
    fn of(tree: &Value) -> Result<Self, Fault> {
        let mut reading = Self::default();
        let root = json::object("the file", tree, "an object, as in `{\"rules\": [], \"default\": \"ask\"}`")?;
        each_key(root, PolicyFile::KEYS, "the policy", |property| {
            let value = &property.value;
            match property.name.as_str() {
                "$schema" => reading.policy.schema = Some(text("`$schema`", value, "the schema's path as a string")?),
                "rules" => reading.rules(value)?,
                "default" => {
                    reading.policy.default = action("`default`", value)?;
                    reading.default_offset = Some(property.start());
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(reading)
    }

    fn rules(&mut self, value: &Value) -> Result<(), Fault> {
        let mut count = 0;
        for entry in json::list("`rules`", value, &format!("a list of rules, each {A_RULE}"))? {
            let object = json::object("an entry of `rules`", entry, A_RULE)?;
            let (rule, globs) = rule(object)?;
            count += globs.len();
            if count > MAX_GLOBS {
                let message = format!(
                    "up to here the rules have {count} globs, and {MAX_GLOBS} may be in a file: use wider ones"
                );
                return Err(Fault { offset: object.start(), message });
            }
            self.policy.rules.push(rule);
            self.globs.push(globs);
            self.rule_offsets.push(object.start());
        }
        Ok(())
    }
}

fn rule(object: &Object) -> Result<(PolicyRule, Vec<Glob>), Fault> {
    let (mut tools, mut what, mut reason) = (None, None, None);
    each_key(object, PolicyRule::KEYS, "a rule", |property| {
        let value = &property.value;
        match property.name.as_str() {
            "tools" => tools = Some(globs(value)?),
            "action" => what = Some(action("`action`", value)?),
            "reason" => reason = Some(text("`reason`", value, "a string that says why")?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let missing = |message: &str| Fault { offset: object.start(), message: message.to_owned() };
    let Some((tools, globs)) = tools else {
        return Err(missing("`tools` is missing: name the tools, as in `\"tools\": [\"read_*\"]`"));
    };
    let Some(action) = what else {
        return Err(missing(&format!("`action` is missing: write {ACTIONS}, as in `\"action\": \"ask\"`")));
    };
    Ok((PolicyRule { tools, action, reason }, globs))
}

/// Hands over each property of `object`, which `name` names in messages. A key that comes twice leaves open which one
/// was meant, and an unknown one (where `read` says false) what its author wanted.
fn each_key(
    object: &Object,
    keys: &[&str],
    name: &str,
    mut read: impl FnMut(&ObjectProp) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let mut seen = HashSet::new();
    for property in &object.properties {
        let key = property.name.as_str();
        let refused = |message| Err(Fault { offset: property.start(), message });
        if !seen.insert(key) {
            return refused(format!("the key `{}` is written twice: keep one", shown(key)));
        }
        if !read(property)? {
            let advice = match suggest(key, keys.iter().copied()) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("the known keys are {}", listed(keys.iter().copied())),
            };
            return refused(format!("unknown key `{}` in {name}: {advice}", shown(key)));
        }
    }
    Ok(())
}

fn text(name: &str, value: &Value, expected: &str) -> Result<String, Fault> {
    json::string(name, value, expected).map(str::to_owned)
}

fn action(name: &str, value: &Value) -> Result<PolicyAction, Fault> {
    let word = json::string(name, value, ACTIONS)?;
    parse_word(word).map_err(|message| Fault { offset: value.start(), message })
}

/// The globs of a rule, as texts and compiled.
fn globs(value: &Value) -> Result<(Vec<String>, Vec<Glob>), Fault> {
    let entries = json::list("`tools`", value, "a list of globs, as in `[\"read_*\"]`")?;
    if entries.is_empty() {
        // It could be read as "no tool" and as "every tool".
        let message = "`tools` is empty: name a tool, or write `[\"*\"]` for every tool".to_owned();
        return Err(Fault { offset: value.start(), message });
    }
    let mut texts = Vec::new();
    let mut globs = Vec::new();
    for entry in entries {
        let text = text("an entry of `tools`", entry, "a string")?;
        globs.push(glob::compile(&text).map_err(|message| Fault { offset: entry.start(), message })?);
        texts.push(text);
    }
    Ok((texts, globs))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_full_policy_is_read_as_serde_reads_it() {
        let full = json!({
            "$schema": "../schemas/policy.schema.json",
            "rules": [
                { "tools": ["read_*", "{a,b}[!c]?"], "action": "allow" },
                { "tools": ["*"], "action": "ask", "reason": "" },
                { "tools": ["sh\u{e9}ll"], "action": "deny", "reason": "No." },
            ],
            "default": "deny",
        });
        for value in [full, json!({ "rules": [] }), json!({ "default": "allow" }), json!({})] {
            let loaded = parse(Path::new(POLICY_FILE), &value.to_string()).unwrap();
            assert_eq!(loaded.policy, serde_json::from_value(value).unwrap());
            assert_eq!(loaded.rule_lines.len(), loaded.policy.rules.len());
        }
    }
}
