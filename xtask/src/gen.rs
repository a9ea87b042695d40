//! `cargo xtask gen`: files that follow from the types of hookhost-contract.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use crate::workspace::Workspace;

/// The end of the names that this command owns in `schemas/`.
const SUFFIX: &str = ".schema.json";

/// What hook authors' editors know, in the workspace's root: where `hookhost types` writes it in a project.
const DECLARATIONS: &str = "hookhost.d.ts";

/// A difference between `schemas/` and what the types say.
#[derive(Debug, PartialEq)]
enum Difference {
    /// The file is missing or holds something else than `text`.
    Outdated { path: PathBuf, text: String },
    /// No type stands behind the file any more.
    Stale { path: PathBuf },
}

impl Difference {
    fn path(&self) -> &Path {
        match self {
            Self::Outdated { path, .. } | Self::Stale { path } => path,
        }
    }
}

/// Brings `schemas/` and `hookhost.d.ts` up to date.
pub(crate) fn write(workspace: &Workspace) -> Result<()> {
    let folder = folder(workspace);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let differences = all_differences(workspace)?;
    for difference in &differences {
        let shown = workspace.show(difference.path());
        match difference {
            Difference::Outdated { path, text } => {
                fs::write(path, text).with_context(|| format!("cannot write {shown}"))?;
                println!("wrote {shown}");
            }
            Difference::Stale { path } => {
                fs::remove_file(path).with_context(|| format!("cannot remove {shown}"))?;
                println!("removed {shown}");
            }
        }
    }
    if differences.is_empty() {
        println!("{} and {DECLARATIONS} are up to date", workspace.show(&folder));
    }
    Ok(())
}

/// Fails if [`write`] would change anything.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let differences = all_differences(workspace)?;
    if differences.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = differences
        .iter()
        .map(|difference| {
            let what = match difference {
                Difference::Outdated { path, .. } if path.exists() => "differs from the types",
                Difference::Outdated { .. } => "is missing",
                Difference::Stale { .. } => "has no type behind it",
            };
            format!("  {} {what}", workspace.show(difference.path()))
        })
        .collect();
    bail!("generated files are not up to date; run `cargo xtask gen`\n{}", lines.join("\n"))
}

fn all_differences(workspace: &Workspace) -> Result<Vec<Difference>> {
    let mut all = differences(&folder(workspace), expected()?)?;
    let declarations = hookhost_contract::types::declarations();
    all.extend(difference(workspace.root.join(DECLARATIONS), declarations));
    Ok(all)
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root.join("schemas")
}

/// Every generated file: its name and its text.
fn expected() -> Result<Vec<(&'static str, String)>> {
    hookhost_contract::schema::all()
        .into_iter()
        .map(|(name, schema)| Ok((name, text(name, schema.to_value())?)))
        .collect()
}

/// A schema as its file holds it: identified, indented, with a newline at the end.
fn text(name: &str, schema: Value) -> Result<String> {
    let Value::Object(mut fields) = schema else {
        bail!("the schema for {name} is not an object");
    };
    let mut identified = Map::new();
    if let Some(dialect) = fields.shift_remove("$schema") {
        identified.insert("$schema".into(), dialect);
    }
    // A name and not an address: editors are pointed at the file, and nothing is served from anywhere.
    let id = format!("urn:hookhost:schema:{}", name.trim_end_matches(SUFFIX));
    identified.insert("$id".into(), id.into());
    identified.append(&mut fields);
    let mut schema = Value::Object(identified);
    join_lines(&mut schema);
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}

/// Descriptions come from comments, which are broken into lines; in an editor's tooltip only paragraphs should be.
fn join_lines(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                match (key.as_str(), value) {
                    ("description", Value::String(text)) => {
                        let paragraphs: Vec<_> =
                            text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
                        *text = paragraphs.join("\n\n");
                    }
                    (_, value) => join_lines(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(join_lines),
        _ => {}
    }
}

fn differences(folder: &Path, expected: Vec<(&'static str, String)>) -> Result<Vec<Difference>> {
    let mut found = Vec::new();
    for path in owned_files(folder)? {
        if !expected.iter().any(|(name, _)| path.ends_with(name)) {
            found.push(Difference::Stale { path });
        }
    }
    found.extend(expected.into_iter().filter_map(|(name, text)| difference(folder.join(name), text)));
    found.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(found)
}

/// `None` if the file is as it should be.
fn difference(path: PathBuf, text: String) -> Option<Difference> {
    // Git may have checked the file out with the line ends of Windows.
    let same = fs::read_to_string(&path).is_ok_and(|present| present.replace("\r\n", "\n") == text);
    (!same).then_some(Difference::Outdated { path, text })
}

fn owned_files(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(SUFFIX) {
            files.push(path);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Vec<(&'static str, String)> {
        vec![("a.schema.json", "{}\n".to_owned())]
    }

    #[test]
    fn a_missing_file_and_a_changed_one_are_outdated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.schema.json");
        let outdated = [Difference::Outdated { path: path.clone(), text: "{}\n".to_owned() }];
        assert_eq!(differences(folder.path(), one()).unwrap(), outdated);
        assert_eq!(differences(&folder.path().join("absent"), one()).unwrap().len(), 1);
        fs::write(&path, "{ }\n").unwrap();
        assert_eq!(differences(folder.path(), one()).unwrap(), outdated);
    }

    #[test]
    fn the_same_text_is_up_to_date_whatever_its_line_ends() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["{}\n", "{}\r\n"] {
            fs::write(folder.path().join("a.schema.json"), text).unwrap();
            assert_eq!(differences(folder.path(), one()).unwrap(), []);
        }
    }

    #[test]
    fn only_schemas_go_stale() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.schema.json", "old.schema.json", "README.md"] {
            fs::write(folder.path().join(name), "{}\n").unwrap();
        }
        let stale = Difference::Stale { path: folder.path().join("old.schema.json") };
        assert_eq!(differences(folder.path(), one()).unwrap(), [stale]);
    }

    #[test]
    fn descriptions_keep_their_paragraphs_and_lose_their_lines() {
        let mut schema = serde_json::json!({
            "properties": { "description": { "description": "one\ntwo\n\nthree" } },
            "oneOf": [{ "description": "four\nfive", "const": "six\nseven" }],
        });
        join_lines(&mut schema);
        assert_eq!(
            schema,
            serde_json::json!({
                "properties": { "description": { "description": "one two\n\nthree" } },
                "oneOf": [{ "description": "four five", "const": "six\nseven" }],
            })
        );
    }

    #[test]
    fn every_schema_says_what_it_is() {
        for (name, text) in expected().unwrap() {
            assert!(name.ends_with(SUFFIX), "{name}");
            let schema: Value = serde_json::from_str(&text).unwrap();
            for key in ["$schema", "$id", "title", "description"] {
                assert!(schema[key].is_string(), "{name} has no {key}");
            }
        }
    }
}
