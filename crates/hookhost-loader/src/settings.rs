//! Reads `amodal.json`: what it says about hooks and packages, and where it says so.

use std::collections::HashSet;
use std::path::Path;

use hookhost_contract::{HookSettings, ProjectConfig, suggest};
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;

use crate::file::read_text;
use crate::finding::Finding;
use crate::json::{self, Fault, Placed};
use crate::text::shown;
use crate::{DiagnosticCode, Position, ProjectError, Severity};

/// The file name of a project's settings.
pub const SETTINGS_FILE: &str = "amodal.json";

/// What `amodal.json` says. Empty if there is no such file.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    pub(crate) config: ProjectConfig,
    /// The names in the file again, with their places.
    pub(crate) order: Vec<Placed>,
    pub(crate) disabled: Vec<Placed>,
    pub(crate) configured: Vec<Placed>,
    pub(crate) packages: Vec<PlacedPackage>,
    pub(crate) findings: Vec<Finding>,
    /// The file's text, which the places refer to.
    pub(crate) text: String,
}

/// A package that contributes hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlacedPackage {
    pub(crate) name: Placed,
    /// Take all of its hooks, whatever is named.
    pub(crate) all: bool,
    /// The hooks that `use` names.
    pub(crate) named: Vec<Placed>,
}

/// Reads the settings in the file `path`.
pub(crate) fn read(path: &Path) -> Result<Settings, ProjectError> {
    let text = read_text(path).map_err(|fault| ProjectError::SettingsUnreadable { file: path.to_path_buf(), fault })?;
    match text {
        Some(text) => parse(path, text),
        None => Ok(Settings::default()),
    }
}

/// Reads the settings in `text`, which is that of the file `path`.
pub(crate) fn parse(path: &Path, text: String) -> Result<Settings, ProjectError> {
    let position = |fault: &Fault| Position::of(&text, fault.offset);
    let document = json::parse(&text).map_err(|fault| ProjectError::SettingsSyntax {
        file: path.to_path_buf(),
        position: position(&fault),
        message: fault.message,
    })?;
    let wrong_type = |fault: Fault| ProjectError::SettingsType {
        file: path.to_path_buf(),
        position: position(&fault),
        message: fault.message,
    };
    let mut settings = interpret(&document.tree).map_err(wrong_type)?;
    // The types were checked above, with a place for each fault; here they are only copied.
    settings.config = serde_json::from_value(document.data)
        .map_err(|error| wrong_type(Fault { offset: 0, message: error.to_string() }))?;
    settings.text = text;
    Ok(settings)
}

/// Checks every type and notes where the names are.
fn interpret(tree: &Value) -> Result<Settings, Fault> {
    let mut settings = Settings::default();
    let root = json::object("the file", tree, "an object, as in `{\"hooks\": {}}`")?;
    // Every other key belongs to the agent and is none of our business, twice or not.
    let ours = |key: &str| matches!(key, "hooks" | "packages");
    for property in settings.last_of_each(root, ours) {
        match property.name.as_str() {
            "hooks" => settings.hooks(&property.value)?,
            "packages" => settings.packages(&property.value)?,
            _ => {}
        }
    }
    settings.findings.sort_by_key(Finding::offset);
    Ok(settings)
}

impl Settings {
    /// The properties that count: of two equal keys the last, as `JSON.parse` has it. Where the key is ours, the
    /// author hears of it.
    fn last_of_each<'v, 't>(&mut self, object: &'v Object<'t>, ours: impl Fn(&str) -> bool) -> Vec<&'v ObjectProp<'t>> {
        let (_, repeated) = json::split_repeated(object);
        for property in repeated.iter().filter(|property| ours(property.name.as_str())) {
            let key = shown(property.name.as_str());
            let message = format!("the key `{key}` is written twice: the last one counts");
            self.findings
                .push(Finding::new(Severity::Warning, DiagnosticCode::DuplicateKey, message).at_byte(property.start()));
        }
        let mut seen = HashSet::new();
        let mut last: Vec<_> =
            object.properties.iter().rev().filter(|property| seen.insert(property.name.as_str())).collect();
        last.reverse();
        last
    }

    fn hooks(&mut self, value: &Value) -> Result<(), Fault> {
        let block = json::object("`hooks`", value, "an object, as in `{\"order\": [\"guard\"]}`")?;
        for property in self.last_of_each(block, |_| true) {
            let value = &property.value;
            match property.name.as_str() {
                "order" => self.order = self.names("`hooks.order`", value)?,
                "disabled" => self.disabled = self.names("`hooks.disabled`", value)?,
                "config" => self.configure(value)?,
                key => {
                    let help = match suggest(key, HookSettings::KEYS.iter().copied()) {
                        Some(known) => format!("did you mean `{known}`?"),
                        None => "it is ignored; the known keys are `order`, `disabled`, `config`".to_owned(),
                    };
                    self.lint_key(property, format!("unknown key `{}` in `hooks`", shown(key)), help);
                }
            }
        }
        Ok(())
    }

    fn lint_key(&mut self, property: &ObjectProp, message: String, help: String) {
        let finding = Finding::new(Severity::Lint, DiagnosticCode::UnknownKey, message);
        self.findings.push(finding.help(help).at_byte(property.start()));
    }

    /// A list of hook names, each once.
    fn names(&mut self, list: &str, value: &Value) -> Result<Vec<Placed>, Fault> {
        let mut names: Vec<Placed> = Vec::new();
        let mut seen = HashSet::new();
        for name in all_strings(list, value, "a list of hook names, as in `[\"guard\"]`")? {
            if seen.insert(name.text.clone()) {
                names.push(name);
                continue;
            }
            let message = format!("{list} names `{}` twice: the first one counts", shown(&name.text));
            self.findings
                .push(Finding::new(Severity::Lint, DiagnosticCode::DuplicateEntry, message).at_byte(name.offset));
        }
        Ok(names)
    }

    fn configure(&mut self, value: &Value) -> Result<(), Fault> {
        let expected = "an object with one object per hook, as in `{\"guard\": {\"limit\": 3}}`";
        let configs = json::object("`hooks.config`", value, expected)?;
        for property in self.last_of_each(configs, |_| true) {
            let label = format!("`hooks.config.{}`", shown(property.name.as_str()));
            json::object(&label, &property.value, "an object, as in `{\"limit\": 3}`")?;
            self.configured.push(Placed::key(property));
        }
        Ok(())
    }

    fn packages(&mut self, value: &Value) -> Result<(), Fault> {
        let expected = "a list of package names, as in `[\"@acme/pack\"]`";
        for entry in json::list("`packages`", value, expected)? {
            match entry {
                Value::Object(object) => self.package_with_use(object)?,
                _ => {
                    let expected = "a package's name, as in `\"@acme/pack\"`, or an object with `package` and `use`";
                    let name = json::placed_string("an entry of `packages`", entry, expected)?;
                    self.add_package(name, true, Vec::new());
                }
            }
        }
        Ok(())
    }

    fn package_with_use(&mut self, object: &Object) -> Result<(), Fault> {
        const KEYS: [&str; 2] = ["package", "use"];
        let mut name = None;
        let mut uses = Vec::new();
        for property in self.last_of_each(object, |key| KEYS.contains(&key)) {
            let value = &property.value;
            match property.name.as_str() {
                "package" => {
                    name = Some(json::placed_string("`package`", value, "a package's name, as in `\"@acme/pack\"`")?);
                }
                "use" => uses = all_strings("`use`", value, "a list of strings, as in `[\"hooks.guard\"]`")?,
                // The agent may have its own keys here; only a likely slip is worth a word.
                key => {
                    if let Some(known) = suggest(key, KEYS) {
                        let message = format!("unknown key `{}` in an entry of `packages`", shown(key));
                        self.lint_key(property, message, format!("did you mean `{known}`?"));
                    }
                }
            }
        }
        let Some(name) = name else {
            return Err(Fault {
                offset: object.start(),
                message: "`package` is missing: write the package's name, as in `{\"package\": \"@acme/pack\"}`"
                    .to_owned(),
            });
        };
        for entry in &uses {
            if let Some(meant) = meant_hook(&entry.text) {
                let message = format!("`use` has `{}`, which names no hook", shown(&entry.text));
                let finding = Finding::new(Severity::Warning, DiagnosticCode::UnknownHookInUse, message);
                let help = format!("did you mean `{}`?", shown(&meant));
                self.findings.push(finding.help(help).at_byte(entry.offset));
            }
        }
        let all = uses.is_empty();
        let named = uses.into_iter().filter_map(|entry| {
            let text = entry.text.strip_prefix("hooks.")?.to_owned();
            Some(Placed { text, ..entry })
        });
        self.add_package(name, all, named.collect());
        Ok(())
    }

    /// A package that is listed twice loads once, with all that any of its entries selects.
    fn add_package(&mut self, name: Placed, all: bool, named: Vec<Placed>) {
        let Some(earlier) = self.packages.iter_mut().find(|package| package.name.text == name.text) else {
            self.packages.push(PlacedPackage { name, all, named });
            return;
        };
        earlier.all |= all;
        earlier.named.extend(named);
        let message = format!("`packages` lists `{}` twice: its hooks load once", shown(&name.text));
        self.findings.push(Finding::new(Severity::Lint, DiagnosticCode::DuplicateEntry, message).at_byte(name.offset));
    }
}

/// The strings of a list that holds nothing else.
fn all_strings(name: &str, value: &Value, expected: &str) -> Result<Vec<Placed>, Fault> {
    let (strings, faults) = json::strings(name, value, expected);
    match faults.into_iter().next() {
        Some(fault) => Err(fault),
        None => Ok(strings),
    }
}

/// The entry that an entry of `use` was probably meant to be. One that names no hook leaves all hooks of the package
/// out, guards among them, so a slip must not go unnoticed.
fn meant_hook(entry: &str) -> Option<String> {
    if entry.starts_with("hooks.") {
        return None;
    }
    let (kind, name) = entry.trim().split_once(['.', '/', ':']).unwrap_or(("hooks", entry.trim()));
    let is_hook = ["hook", "hooks"].iter().any(|word| kind.eq_ignore_ascii_case(word));
    (is_hook && !name.is_empty()).then(|| format!("hooks.{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places and the copied values must tell the same story.
    fn packages(text: &str) -> Vec<(String, Option<Vec<String>>)> {
        let document = json::parse(text).unwrap();
        let settings = interpret(&document.tree).unwrap();
        let texts = |names: &Vec<Placed>| names.iter().map(|name| name.text.clone()).collect();
        settings
            .packages
            .iter()
            .map(|package| {
                let named = (!package.all).then(|| texts(&package.named));
                (package.name.text.clone(), named)
            })
            .collect()
    }

    #[test]
    fn a_slip_in_use_is_recognised() {
        for entry in ["hook.guard", "guard", "Hooks.guard", "hooks/guard", " hooks.guard"] {
            assert_eq!(meant_hook(entry).as_deref(), Some("hooks.guard"), "{entry}");
        }
        for entry in ["hooks.guard", "tools.x", "skills.hook", ""] {
            assert_eq!(meant_hook(entry), None, "{entry}");
        }
    }

    #[test]
    fn the_places_agree_with_the_contract() {
        let text = r#"{ "packages": ["a", {"package": "b"}, {"package": "c", "use": []},
            {"package": "d", "use": ["tools.x"]}, {"package": "e", "use": ["hooks.x", "tools.y", "hooks.z"]}] }"#;
        let config: ProjectConfig = serde_json::from_str(text).unwrap();
        let expected: Vec<_> = config
            .packages
            .iter()
            .map(|entry| {
                let names = entry.selected_hooks();
                let names = names.map(|names| names.into_iter().map(str::to_owned).collect());
                (entry.package().to_owned(), names)
            })
            .collect();
        assert_eq!(packages(text), expected);
    }

    #[test]
    fn entries_of_one_package_add_up() {
        let selection = |text| packages(text).remove(0).1;
        assert_eq!(
            selection(r#"{"packages": [{"package": "a", "use": ["hooks.x"]}, {"package": "a", "use": ["hooks.y"]}]}"#),
            Some(vec!["x".to_owned(), "y".to_owned()])
        );
        assert_eq!(selection(r#"{"packages": [{"package": "a", "use": ["hooks.x"]}, "a"]}"#), None);
    }
}
