//! A problem on its way to the report: found in a text, then placed in somebody's file.

use std::path::{Path, PathBuf};

use crate::text::without_controls;
use crate::{Diagnostic, DiagnosticCode, Position, Severity};

/// A problem found in a text, before it is known whose file the text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    pub(crate) code: DiagnosticCode,
    place: Place,
    message: String,
    help: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole,
    Byte(usize),
    Position(Position),
}

impl Finding {
    /// A reason to skip a hook.
    pub(crate) fn skip(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, DiagnosticCode::HookSkipped, message)
    }

    pub(crate) fn new(severity: Severity, code: DiagnosticCode, message: impl Into<String>) -> Self {
        Self { severity, code, place: Place::Whole, message: message.into(), help: None }
    }

    /// Says where: a byte of the text.
    pub(crate) fn at_byte(mut self, offset: usize) -> Self {
        self.place = Place::Byte(offset);
        self
    }

    /// Says where, if that is known.
    pub(crate) fn at(mut self, position: Option<Position>) -> Self {
        self.place = position.map_or(Place::Whole, Place::Position);
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The order of findings within a file.
    pub(crate) fn offset(&self) -> usize {
        match self.place {
            Place::Byte(offset) => offset,
            Place::Whole | Place::Position(_) => 0,
        }
    }

    fn position(&self, text: &str) -> Option<Position> {
        match self.place {
            Place::Whole => None,
            Place::Byte(offset) => Some(Position::of(text, offset)),
            Place::Position(position) => Some(position),
        }
    }
}

/// The file that findings are about, and whose it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'a> {
    /// The project's root; paths inside it are shown relative to it.
    pub(crate) root: &'a Path,
    pub(crate) package: Option<&'a str>,
    pub(crate) hook: Option<&'a str>,
    pub(crate) folder: Option<&'a Path>,
    pub(crate) file: &'a Path,
}

impl<'a> Site<'a> {
    /// A file of the project that belongs to no hook.
    pub(crate) fn of_project(root: &'a Path, file: &'a Path) -> Self {
        Self { root, package: None, hook: None, folder: None, file }
    }

    pub(crate) fn diagnose(&self, finding: Finding, text: &str) -> Diagnostic {
        Diagnostic {
            severity: finding.severity,
            code: finding.code,
            hook: self.hook.map(str::to_owned),
            folder: self.folder.map(|folder| self.relative(folder)),
            package: self.package.map(str::to_owned),
            file: self.relative(self.file),
            position: finding.position(text),
            message: without_controls(&finding.message),
            help: finding.help.as_deref().map(without_controls),
        }
    }

    /// Places findings in `text`. A file can be hostile: after the first [`MOST_FINDINGS`] the rest is only counted.
    pub(crate) fn diagnose_all(&self, mut findings: Vec<Finding>, text: &str) -> Vec<Diagnostic> {
        let more = findings.len().saturating_sub(MOST_FINDINGS);
        if more > 0 {
            // What decides over the hook is worth more than a lint. The sort is stable: the file's order stays.
            findings.sort_by_key(|finding| finding.severity);
            findings.truncate(MOST_FINDINGS);
        }
        let mut diagnostics: Vec<_> = findings.into_iter().map(|finding| self.diagnose(finding, text)).collect();
        if more > 0
            && let Some(last) = diagnostics.last_mut()
        {
            last.help
                .as_mut()
                .unwrap_or(&mut last.message)
                .push_str(&format!(" ({more} more problems in this file are not shown)"));
        }
        diagnostics
    }

    fn relative(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.root).unwrap_or(path).to_path_buf()
    }
}

/// The most problems that one file is reported with.
pub(crate) const MOST_FINDINGS: usize = 50;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_kept_when_a_file_has_too_many_problems() {
        let lint = || Finding::new(Severity::Lint, DiagnosticCode::UnknownKey, "lint").at_byte(1);
        let mut findings: Vec<_> = std::iter::repeat_with(lint).take(MOST_FINDINGS + 5).collect();
        findings.push(Finding::skip("error").at_byte(0));
        let site = Site::of_project(Path::new("/p"), Path::new("/p/hook.json"));
        let diagnostics = site.diagnose_all(findings, "{}");
        assert_eq!(diagnostics.len(), MOST_FINDINGS);
        assert_eq!(diagnostics[0].to_string(), "hook.json:1:1: hook_skipped: error");
        let last = diagnostics[MOST_FINDINGS - 1].to_string();
        assert_eq!(last, "hook.json:1:2: unknown_key: lint (6 more problems in this file are not shown)");
    }
}
