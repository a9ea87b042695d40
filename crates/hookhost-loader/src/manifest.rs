//! Reads the text of a `hook.json` and collects everything that is wrong with it.

use std::collections::HashSet;
use std::fmt::Display;
use std::hash::Hash;
use std::str::FromStr;

use hookhost_contract::{JsonObject, MAX_TIMEOUT_MS, Manifest, Match, Point, suggest};
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;

use crate::finding::Finding;
use crate::json::{self, Document, Fault, Placed};
use crate::text::shown;
use crate::word::parse_word;
use crate::{DiagnosticCode, Position, Severity, glob};

/// What the text of a manifest comes to.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// The manifest, if nothing is wrong that makes it unusable.
    pub(crate) manifest: Option<Manifest>,
    /// The name it gives, even if the rest is unusable.
    pub(crate) name: Option<String>,
    /// Where it gives its name.
    pub(crate) name_position: Option<Position>,
    pub(crate) findings: Vec<Finding>,
}

/// Reads a manifest.
pub(crate) fn read(text: &str) -> Reading {
    let document = match json::parse(text) {
        Ok(document) => document,
        Err(fault) => return Reading::unusable(fault.into()),
    };
    let expected = "an object, as in `{\"points\": [\"preToolUse\"]}`";
    match json::object("the manifest", &document.tree, expected) {
        Ok(object) => Reader::new(&document).read(text, object),
        Err(fault) => Reading::unusable(fault.into()),
    }
}

impl Reading {
    /// Nothing is known but why.
    pub(crate) fn unusable(finding: Finding) -> Self {
        Self { findings: vec![finding], ..Self::default() }
    }
}

impl From<Fault> for Finding {
    fn from(fault: Fault) -> Self {
        Self::skip(fault.message).at_byte(fault.offset)
    }
}

/// What is wrong with a hook's name, if anything, as the end of a sentence about it. Names become part of paths, URLs
/// and log lines.
pub(crate) fn name_fault(name: &str) -> Option<String> {
    if name.trim().is_empty() {
        return Some("may not be empty".to_owned());
    }
    if matches!(name, "." | "..") {
        return Some(format!("may not be `{name}`, which stands for a folder"));
    }
    // The marks that reverse the direction of text can make a name look like another.
    let hidden = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let bad = name.chars().find(|&c| matches!(c, '/' | '\\') || hidden(c))?;
    Some(match hidden(bad) {
        true => format!("may not contain the control character {}", bad.escape_unicode()),
        false => format!("may not contain `{bad}`"),
    })
}

/// How many globs one hook may have.
const MAX_GLOBS: usize = 256;

struct Reader<'d> {
    document: &'d Document<'d>,
    manifest: Manifest,
    name_offset: Option<usize>,
    findings: Vec<Finding>,
}

impl<'d> Reader<'d> {
    fn new(document: &'d Document<'d>) -> Self {
        Self { document, manifest: Manifest::default(), name_offset: None, findings: Vec::new() }
    }

    fn read(mut self, text: &str, object: &Object) -> Reading {
        for property in self.without_repeated(object, "") {
            self.key(property);
        }
        if object.get("points").is_none() {
            let message = "`points` is missing: say where the hook is called, as in `\"points\": [\"preToolUse\"]`";
            self.findings.push(Finding::skip(message).at_byte(object.start()));
        }
        self.findings.sort_by_key(Finding::offset);
        let usable = !self.findings.iter().any(Finding::is_error);
        Reading {
            name: self.manifest.name.clone(),
            name_position: self.name_offset.map(|offset| Position::of(text, offset)),
            manifest: usable.then_some(self.manifest),
            findings: self.findings,
        }
    }

    /// The properties of one of the manifest's own objects. A key that comes twice leaves open which one was meant.
    fn without_repeated<'v, 'o>(&mut self, object: &'v Object<'o>, of: &str) -> Vec<&'v ObjectProp<'o>> {
        let (properties, repeated) = json::split_repeated(object);
        for property in repeated {
            let key = shown(property.name.as_str());
            let message = format!("the key `{of}{key}` is written twice: keep one");
            self.findings.push(Finding::skip(message).at_byte(property.start()));
        }
        properties
    }

    fn key(&mut self, property: &ObjectProp) {
        let key = property.name.as_str();
        let value = &property.value;
        match key {
            "name" => self.name(value),
            "label" => self.manifest.label = self.text("`label`", value),
            "description" => self.manifest.description = self.text("`description`", value),
            "points" => self.manifest.points = self.points(value),
            "capabilities" => {
                self.manifest.capabilities =
                    self.words("`capabilities`", value, "a list of strings, as in `[\"reads_tool_io\"]`");
            }
            "allowNet" => self.allow_net(value),
            "failPolicy" => {
                self.manifest.fail_policy = self.word("`failPolicy`", value, "`\"open\"` or `\"closed\"`");
            }
            "mode" => self.manifest.mode = self.word("`mode`", value, "`\"enforce\"` or `\"observe\"`"),
            "priority" => self.priority(value),
            "timeoutMs" => self.timeout(value),
            "config" => self.config(value),
            "match" => self.matches(value),
            _ => self.other(property),
        }
    }

    /// The value, or nothing and a reason to skip the hook.
    fn accept<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        result.map_err(|fault| self.findings.push(fault.into())).ok()
    }

    fn refuse(&mut self, value: &impl Ranged, message: impl Into<String>) {
        self.findings.push(Finding::skip(message).at_byte(value.start()));
    }

    fn text(&mut self, name: &str, value: &Value) -> Option<String> {
        self.accept(json::string(name, value, "a string")).map(str::to_owned)
    }

    fn name(&mut self, value: &Value) {
        let Some(name) = self.text("`name`", value) else {
            return;
        };
        match name_fault(&name) {
            Some(fault) => self.refuse(value, format!("`name` {fault}: write a plain name, as in `\"tool-guard\"`")),
            None => {
                self.manifest.name = Some(name);
                self.name_offset = Some(value.start());
            }
        }
    }

    fn points(&mut self, value: &Value) -> Vec<Point> {
        if value.as_array().is_some_and(|list| list.elements.is_empty()) {
            self.refuse(value, "`points` is empty: say where the hook is called, as in `[\"preToolUse\"]`");
        }
        self.words("`points`", value, "a list of strings, as in `[\"preToolUse\"]`")
    }

    fn word<T: FromStr<Err: Display>>(&mut self, name: &str, value: &Value, expected: &str) -> Option<T> {
        let word = self.accept(json::string(name, value, expected))?;
        match parse_word(word) {
            Ok(word) => Some(word),
            Err(message) => {
                self.refuse(value, message);
                None
            }
        }
    }

    fn words<T: FromStr<Err: Display> + Clone + Eq + Hash>(
        &mut self,
        name: &str,
        value: &Value,
        expected: &str,
    ) -> Vec<T> {
        let mut words = Vec::new();
        let mut seen = HashSet::new();
        for entry in self.strings(name, value, expected) {
            match parse_word::<T>(&entry.text) {
                Ok(word) if !seen.insert(word.clone()) => {
                    let message = format!("{name} names `{}` twice: once is enough", shown(&entry.text));
                    self.findings.push(
                        Finding::new(Severity::Lint, DiagnosticCode::DuplicateEntry, message).at_byte(entry.offset),
                    );
                }
                Ok(word) => words.push(word),
                Err(message) => self.findings.push(Finding::skip(message).at_byte(entry.offset)),
            }
        }
        words
    }

    fn strings(&mut self, name: &str, value: &Value, expected: &str) -> Vec<Placed> {
        let (strings, faults) = json::strings(name, value, expected);
        self.findings.extend(faults.into_iter().map(Finding::from));
        strings
    }

    fn allow_net(&mut self, value: &Value) {
        let expected = "a list of hosts, as in `[\"api.example.com\", \"127.0.0.1:8080\"]`";
        let hosts = self.strings("`allowNet`", value, expected);
        let is_host = |text: &str| {
            !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control() || "/@?#,".contains(c))
        };
        for host in hosts.iter().filter(|host| !is_host(&host.text)) {
            let message = format!("`allowNet` names `{}`, which is no host: write {expected}", shown(&host.text));
            self.findings.push(Finding::skip(message).at_byte(host.offset));
        }
        self.manifest.allow_net = Some(hosts.into_iter().map(|host| host.text).collect());
    }

    fn priority(&mut self, value: &Value) {
        let result = json::number("`priority`", value, "a number; lower runs earlier");
        if let Some(priority) = self.accept(result) {
            self.manifest.priority = priority;
        }
    }

    fn timeout(&mut self, value: &Value) {
        let expected = format!("a number of milliseconds above 0 and up to {MAX_TIMEOUT_MS} (one day)");
        let Some(timeout) = self.accept(json::number("`timeoutMs`", value, &expected)) else {
            return;
        };
        if timeout > 0.0 && timeout <= f64::from(MAX_TIMEOUT_MS) {
            self.manifest.timeout_ms = Some(timeout);
        } else {
            let given = value.as_number_lit().map_or("", |literal| literal.value);
            self.refuse(value, format!("`timeoutMs` is {}: write {expected}", shown(given)));
        }
    }

    fn config(&mut self, value: &Value) {
        let expected = "an object; it is handed to the hook's factory";
        if self.accept(json::object("`config`", value, expected)).is_none() {
            return;
        }
        if let Some(config) = self.data("config") {
            self.manifest.config = config;
        }
        self.lint_repeated(value);
    }

    fn matches(&mut self, value: &Value) {
        let expected = "an object, as in `{\"toolName\": [\"store__*\"]}`";
        let Some(object) = self.accept(json::object("`match`", value, expected)) else {
            return;
        };
        let mut matches = Match::default();
        for property in self.without_repeated(object, "match.") {
            match property.name.as_str() {
                "toolName" => matches.tool_name = self.globs(&property.value),
                other => {
                    let advice = match suggest(other, ["toolName"]) {
                        Some(key) => format!("did you mean `{key}`?"),
                        None => "the only one is `toolName`".to_owned(),
                    };
                    self.refuse(property, format!("unknown key `{}` in `match`: {advice}", shown(other)));
                }
            }
        }
        self.manifest.matches = Some(matches);
    }

    fn globs(&mut self, value: &Value) -> Vec<String> {
        const NAME: &str = "`match.toolName`";
        // It could be read as "no tool" and as "no filter", and a guard should leave no doubt.
        if value.as_array().is_some_and(|list| list.elements.is_empty()) {
            self.refuse(value, format!("{NAME} is empty: name a tool, or leave `match` out to see every call"));
        }
        if value.as_array().is_some_and(|list| list.elements.len() > MAX_GLOBS) {
            self.refuse(value, format!("{NAME} has more than {MAX_GLOBS} globs"));
        }
        let mut globs = Vec::new();
        for entry in self.strings(NAME, value, "a list of globs, as in `[\"store__*\"]`") {
            match glob::compile(&entry.text) {
                Ok(_) => globs.push(entry.text),
                Err(fault) => self.findings.push(Finding::skip(fault).at_byte(entry.offset)),
            }
        }
        globs
    }

    /// A key that is not ours, or that only editors read: kept as it is.
    fn other(&mut self, property: &ObjectProp) {
        let key = property.name.as_str();
        if !Manifest::KEYS.contains(&key) {
            // No more than a lint: folders carry keys of other tools, some of which look like ours (`model`). What is
            // left out by a slip has a default that is strict.
            let help = match suggest(key, Manifest::KEYS.iter().copied()) {
                Some(known) => format!("did you mean `{known}`?"),
                None => "it is kept and ignored".to_owned(),
            };
            let finding =
                Finding::new(Severity::Lint, DiagnosticCode::UnknownKey, format!("unknown key `{}`", shown(key)));
            self.findings.push(finding.help(help).at_byte(property.start()));
        }
        if let Some(value) = self.document.data.get(key) {
            self.manifest.extra.insert(key.to_owned(), value.clone());
        }
        self.lint_repeated(&property.value);
    }

    /// The hook's own data is read as `JSON.parse` reads it, where the last of two equal keys counts.
    fn lint_repeated(&mut self, value: &Value) {
        for key in json::repeated_keys(value) {
            let message = format!("the key `{}` is written twice: the last one counts", shown(&key.text));
            self.findings.push(Finding::new(Severity::Lint, DiagnosticCode::DuplicateKey, message).at_byte(key.offset));
        }
    }

    fn data(&self, key: &str) -> Option<JsonObject> {
        self.document.data.get(key)?.as_object().cloned()
    }
}

#[cfg(test)]
mod tests {
    use hookhost_contract::{Capability, FailPolicy, Mode};
    use serde_json::json;

    use super::*;

    #[test]
    fn a_full_manifest_is_read_as_serde_reads_it() {
        let value = json!({
            "$schema": "../hook.schema.json",
            "name": "tool-guard",
            "label": "Guard",
            "description": "Guards.",
            "points": ["preToolUse", "tool:pre"],
            "capabilities": ["reads_tool_io", "store:read"],
            "failPolicy": "open",
            "priority": -2.5,
            "config": { "z": [1], "a": { "b": null } },
            "timeoutMs": 0.5,
            "match": { "toolName": ["store__*", "{a,b}"] },
            "mode": "observe",
            "owner": { "team": "x" },
        });
        let reading = read(&value.to_string());
        let manifest = reading.manifest.unwrap();
        assert_eq!(manifest, serde_json::from_value(value).unwrap());
        assert_eq!(manifest.capabilities, [Capability::ReadsToolIo, Capability::StoreRead]);
        assert_eq!((manifest.fail_policy, manifest.mode), (Some(FailPolicy::Open), Some(Mode::Observe)));
        assert!(manifest.config.keys().eq(["z", "a"]), "the order of keys is the author's");
        assert_eq!(reading.findings.len(), 1, "only the lint about `owner`");
    }

    #[test]
    fn the_name_is_known_even_if_the_rest_is_not_usable() {
        let reading = read(r#"{"name": "guard", "points": ["nope"]}"#);
        assert!(reading.manifest.is_none());
        assert_eq!(reading.name.as_deref(), Some("guard"));
    }

    #[test]
    fn which_names_are_refused() {
        for name in ["a", "a b", "ä", "@acme", "a.b", "...", "store:read"] {
            assert_eq!(name_fault(name), None, "{name}");
        }
        for name in ["", " ", ".", "..", "a/b", "a\\b", "a\nb", "a\u{7f}", "\u{85}"] {
            assert!(name_fault(name).is_some(), "{name:?}");
        }
    }

    #[test]
    fn a_lint_never_costs_the_hook() {
        for text in [
            r#"{"points": ["preInput"], "failpolicy": "open"}"#,
            r#"{"points": ["preInput", "preInput"]}"#,
            r#"{"points": ["preInput"], "config": {"a": 1, "a": 2}}"#,
        ] {
            let reading = read(text);
            assert_eq!(reading.findings.len(), 1, "{text}");
            assert!(reading.manifest.is_some(), "{text}");
        }
    }
}
