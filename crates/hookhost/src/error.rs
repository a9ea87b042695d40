//! Why a host could not be built.

use hookhost_chain::BadGlob;
use hookhost_loader::{Diagnostic, ProjectError};
use hookhost_v8::EngineError;

/// A host that could not be built. A single broken hook is no reason: see [`crate::HookHost::report`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HookHostError {
    /// The project as a whole cannot be read.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// In strict mode: local hooks that cannot be loaded.
    #[error("{}", strict_text(.0))]
    Strict(Vec<Diagnostic>),
    /// A `match` that is no glob.
    #[error(transparent)]
    Match(#[from] BadGlob),
    /// The operating system refused what the engine needs.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

fn strict_text(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<_> = diagnostics.iter().map(|diagnostic| format!("\n  {diagnostic}")).collect();
    format!("the project has hooks that cannot be loaded:{}", lines.concat())
}
