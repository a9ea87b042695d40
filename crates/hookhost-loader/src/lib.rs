//! Reads a project's hooks from disk: the folders in `hooks/`, those of installed packages, and `amodal.json`.
//!
//! ```no_run
//! let project = hookhost_loader::load(std::path::Path::new("."))?;
//! for problem in project.report.warnings() {
//!     eprintln!("{problem}");
//! }
//! for hook in project.hooks.iter().filter(|hook| !hook.disabled) {
//!     println!("{} at {:?}: {}", hook.name, hook.manifest.points, hook.handler.display());
//! }
//! # Ok::<(), hookhost_loader::ProjectError>(())
//! ```
//!
//! One broken folder never hides the others: [`load`] returns every hook that is fine and a [`LoadReport`] about the
//! rest, with the file, line and column of each problem. Only a project that cannot be read at all is a
//! [`ProjectError`]. A deploy check asks [`LoadReport::strict_errors`].
//!
//! The tool policy is a file of its own: [`load_policy`] reads it whole or not at all, since half a policy is
//! another one.
//!
//! No JavaScript is read or run here, so whether a handler can be imported shows only later.

#![forbid(unsafe_code)]

mod diagnostic;
mod discover;
mod error;
mod file;
mod finding;
mod fixtures;
mod glob;
mod hook;
mod json;
mod manifest;
mod packages;
mod parse;
mod policy;
mod project;
mod report;
mod settings;
mod text;
mod word;

pub use diagnostic::{Diagnostic, DiagnosticCode, Position, Severity};
pub use error::ProjectError;
pub use file::{FileFault, MAX_FILE_BYTES};
pub use fixtures::{
    FixtureFault, FixtureFileError, LoadedFixture, LoadedFixtures, LoadedStep, MAX_FIXTURE_FILE_BYTES,
    MAX_RECORDED_FILE_BYTES, PathPart, load_fixtures, load_recorded, parse_fixtures,
};
pub use hook::{HANDLER_FILES, MANIFEST_FILE};
pub use parse::{parse_manifest, parse_policy, parse_settings};
pub use policy::{CompiledPolicy, LoadedPolicy, POLICY_FILE, PolicyError, Verdict, load_policy};
pub use project::{HookSource, Origin, Project, load};
pub use report::LoadReport;
pub use settings::SETTINGS_FILE;
