//! Writes what came of calls into the `expect` of their fixtures, and leaves the rest of the file as it is.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hookhost_contract::Expect;
use hookhost_loader::PathPart;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::compare::Mismatch;
use crate::report::{FileReport, StepReport, TestReport};

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpdatedFile {
    /// The file.
    pub file: PathBuf,
    /// How many calls have another `expect` now.
    pub calls: usize,
}

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", .file.display())]
#[non_exhaustive]
pub struct UpdateError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong and what to do.
    pub message: String,
}

/// Writes what came of the calls into their fixtures: of those that failed, the keys that were wrong; of those without
/// `expect`, a new one. `maxMs` is never touched: what it was is a wish, and what came of it is chance. A call in which a hook
/// failed, and was not expected to, is not touched either. Everything else in the files stays as it is, down to the blanks.
///
/// # Errors
/// Of each file: it cannot be read or written, or is not the one that was run any more. Then it is as it was.
pub fn update_fixtures(report: &TestReport) -> Vec<Result<UpdatedFile, UpdateError>> {
    let mut updated = Vec::new();
    for file in &report.files {
        let steps = file.fixtures.iter().flat_map(|fixture| &fixture.steps);
        let steps: Vec<_> = steps.filter_map(|step| Some((step, new_expect(step)?))).collect();
        if steps.is_empty() {
            continue;
        }
        let calls = steps.len();
        let path = file.file.clone();
        updated.push(match rewrite(file, &steps) {
            Ok(()) => Ok(UpdatedFile { file: path, calls }),
            Err(message) => Err(UpdateError { file: path, message }),
        });
    }
    updated
}

/// What to write.
enum NewExpect {
    /// There was none.
    Whole(Value),
    /// Keys with their new values; `null` for a key that goes.
    Keys(Vec<(&'static str, Value)>),
}

fn new_expect(step: &StepReport) -> Option<NewExpect> {
    // A hook that cannot even be loaded must not become what is expected of it.
    let is_failure = |mismatch: &Mismatch| mismatch.key == "failure" && mismatch.update.is_none();
    let has_failed = step.decision.runs.iter().any(|run| run.failure.is_some());
    if step.mismatches.iter().any(is_failure) || (step.lacks_expect && has_failed) {
        return None;
    }
    if step.lacks_expect {
        return Some(NewExpect::Whole(json!(Expect::of(&step.decision))));
    }
    let keys: Vec<_> = step
        .mismatches
        .iter()
        .filter_map(|mismatch| Some((mismatch.key, mismatch.update.clone()?)))
        .map(|(key, value)| if key == "reason" { (key, literal(value)) } else { (key, value) })
        .collect();
    (!keys.is_empty()).then_some(NewExpect::Keys(keys))
}

fn literal(reason: Value) -> Value {
    match reason.as_str() {
        Some(text) => json!(Expect::literal_reason(text)),
        None => reason,
    }
}

fn rewrite(file: &FileReport, steps: &[(&StepReport, NewExpect)]) -> Result<(), String> {
    let text = fs::read_to_string(&file.file).map_err(|error| format!("cannot be read: {error}"))?;
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text.as_str()),
    };
    let root = CstRootNode::parse(body, &ParseOptions::default()).map_err(|error| format!("is no JSON: {error}"))?;
    for (step, expect) in steps {
        let object = object_at(&root, &step.path)
            .ok_or_else(|| format!("was changed while its fixtures ran (line {}): run them again", step.line))?;
        match expect {
            NewExpect::Whole(whole) => set(&object, "expect", whole),
            NewExpect::Keys(keys) => {
                let expect = object.object_value("expect").ok_or_else(|| {
                    format!("was changed while its fixtures ran (line {}): run them again", step.line)
                })?;
                for (key, value) in keys {
                    set(&expect, key, value);
                }
            }
        }
    }
    let new = root.to_string();
    // What was written must say what was meant: a fixture that reads differently is worse than one that fails.
    hookhost_loader::parse_fixtures(&file.file, new.clone())
        .map_err(|error| format!("would become unreadable: {error}"))?;
    write(&file.file, &format!("{mark}{new}")).map_err(|error| format!("cannot be written: {error}"))
}

/// Not in place: whoever is cut off in the middle would leave half a file.
fn write(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link.
    let path = fs::canonicalize(path)?;
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    let mut new = NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    new.write_all(text.as_bytes())?;
    new.as_file().set_permissions(permissions)?;
    new.persist(&path)?;
    Ok(())
}

fn object_at(root: &CstRootNode, path: &[PathPart]) -> Option<CstObject> {
    let mut node: CstNode = root.value()?;
    for part in path {
        node = match part {
            PathPart::Key(key) => node.as_object()?.get(key)?.value()?,
            PathPart::Index(index) => node.as_array()?.elements().into_iter().nth(*index)?,
        };
    }
    node.as_object()
}

fn set(object: &CstObject, key: &str, value: &Value) {
    match (object.get(key), value) {
        (Some(property), Value::Null) => property.remove(),
        (None, Value::Null) => {}
        (Some(property), value) => property.set_value(input(value)),
        (None, value) => {
            object.append(key, input(value));
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(object) => {
            CstInputValue::Object(object.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
