//! One problem: what is wrong, where, and what to do about it.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::text::path_text;

/// How much a problem matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A hook that should be there is not.
    Error,
    /// Something does not do what its author seems to expect.
    Warning,
    /// Probably a slip; nothing depends on it.
    Lint,
}

/// What kind of problem it is. In files and messages it is a word in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DiagnosticCode {
    /// A folder in `hooks/` that cannot be used. Error.
    HookSkipped,
    /// `hooks` is there and cannot be listed. Error.
    HooksUnreadable,
    /// `hooks` is a file. Warning.
    HooksNotAFolder,
    /// Two hooks have the same name; the later one is not loaded. Warning.
    HookNameConflict,
    /// `hooks.order` names a hook that is not there. Warning.
    UnknownHookInOrder,
    /// `hooks.disabled` names a hook that is not there. Warning.
    UnknownHookInDisabled,
    /// `hooks.config` names a hook that is not there. Warning.
    UnknownHookInConfig,
    /// A package's `use` names a hook that the package does not have. Warning.
    UnknownHookInUse,
    /// A package is declared and not installed. Warning.
    PackageNotInstalled,
    /// A text that cannot be a package's name. Warning.
    InvalidPackageName,
    /// A key that is not one of ours. Lint.
    UnknownKey,
    /// A key is written twice where the last one counts. Warning in `amodal.json`, lint in a hook's own data.
    DuplicateKey,
    /// A list names the same thing twice. Lint.
    DuplicateEntry,
}

impl DiagnosticCode {
    /// The word that files and messages use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HookSkipped => "hook_skipped",
            Self::HooksUnreadable => "hooks_unreadable",
            Self::HooksNotAFolder => "hooks_not_a_folder",
            Self::HookNameConflict => "hook_name_conflict",
            Self::UnknownHookInOrder => "unknown_hook_in_order",
            Self::UnknownHookInDisabled => "unknown_hook_in_disabled",
            Self::UnknownHookInConfig => "unknown_hook_in_config",
            Self::UnknownHookInUse => "unknown_hook_in_use",
            Self::PackageNotInstalled => "package_not_installed",
            Self::InvalidPackageName => "invalid_package_name",
            Self::UnknownKey => "unknown_key",
            Self::DuplicateKey => "duplicate_key",
            Self::DuplicateEntry => "duplicate_entry",
        }
    }
}

impl fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A place in a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// The place of a byte of `text`.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One problem. Prints as one line, as in
/// ``hooks/guard/hook.json:3:14: hook_skipped: unknown point `preTool`: did you mean `preToolUse`?``
///
/// Its paths are relative to the project's root when they lie inside it, and absolute otherwise, so joining them to
/// the root is right in both cases. They print and serialise with forward slashes on every platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// What kind of problem it is.
    pub code: DiagnosticCode,
    /// The hook it is about: its name, or its folder's name where the manifest gives none.
    pub hook: Option<String>,
    /// The hook's folder.
    #[serde(serialize_with = "optional_path")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub folder: Option<PathBuf>,
    /// The package the hook comes from; `None` for the project's own hooks and files.
    pub package: Option<String>,
    /// The file or folder to look at.
    #[serde(serialize_with = "path")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub file: PathBuf,
    /// Where in the file, when it is about one place.
    pub position: Option<Position>,
    /// What is wrong.
    pub message: String,
    /// What to do, when the message does not say so itself.
    pub help: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&path_text(&self.file))?;
        if let Some(position) = self.position {
            write!(f, ":{position}")?;
        }
        write!(f, ": {}: {}", self.code, self.message)?;
        match &self.help {
            Some(help) => write!(f, ": {help}"),
            None => Ok(()),
        }
    }
}

fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path_text(path))
}

fn optional_path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(path_text).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "{\n  \"é\": 1,\r\n\t\"x\": 2 }";
        let place = |needle: &str| Position::of(text, text.find(needle).unwrap()).to_string();
        assert_eq!(place("{"), "1:1");
        assert_eq!(place("1"), "2:8");
        assert_eq!(place("\"x"), "3:2");
        assert_eq!(Position::of("é", 1).to_string(), "1:1", "inside a character");
        assert_eq!(Position::of("ab", 99).to_string(), "1:3", "past the end");
    }

    #[test]
    fn a_code_reads_the_same_in_messages_and_in_json() {
        use DiagnosticCode as Code;
        for code in [
            Code::HookSkipped,
            Code::HooksUnreadable,
            Code::HooksNotAFolder,
            Code::HookNameConflict,
            Code::UnknownHookInOrder,
            Code::UnknownHookInDisabled,
            Code::UnknownHookInConfig,
            Code::UnknownHookInUse,
            Code::PackageNotInstalled,
            Code::InvalidPackageName,
            Code::UnknownKey,
            Code::DuplicateKey,
            Code::DuplicateEntry,
        ] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.to_string());
        }
    }
}
