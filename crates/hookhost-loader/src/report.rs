//! Every problem of one load.

use serde::Serialize;

use crate::{Diagnostic, DiagnosticCode, Severity};

/// What is wrong with a project that loads nevertheless. Empty when all is well.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoadReport {
    /// The problems: `amodal.json` first, then folder by folder in load order, then names that match nothing.
    pub diagnostics: Vec<Diagnostic>,
}

impl LoadReport {
    /// What a host logs when it starts: all but the lints. A skipped hook is among them.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Lint)
    }

    /// The probable slips that nothing depends on.
    pub fn lints(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Lint)
    }

    /// Whether a check should fail: true if there is an error or a warning. Lints alone do not fail it, since a key
    /// that is not ours may well be somebody else's.
    pub fn has_findings(&self) -> bool {
        self.warnings().next().is_some()
    }

    /// What a deploy fails for: each of the project's own folders whose manifest is invalid or that has no handler, and
    /// a `hooks` folder that cannot be listed. Hooks from packages are not judged.
    ///
    /// A folder with several problems comes up once for each; [`Diagnostic::folder`] tells them apart.
    pub fn strict_errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error && diagnostic.package.is_none())
    }

    /// The problems of one kind.
    pub fn with_code(&self, code: DiagnosticCode) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(move |diagnostic| diagnostic.code == code)
    }
}
