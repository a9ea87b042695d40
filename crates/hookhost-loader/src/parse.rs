//! The files as texts, for whoever has no project around them: an editor, a fuzzer.

use std::path::Path;

use hookhost_contract::{Manifest, ProjectConfig};

use crate::finding::{Finding, Site};
use crate::hook::MANIFEST_FILE;
use crate::settings::{self, SETTINGS_FILE};
use crate::{Diagnostic, LoadedPolicy, POLICY_FILE, PolicyError, ProjectError, manifest, policy};

/// Reads the text of a `hook.json`: the manifest, unless something makes the hook unusable, and what [`load`] would
/// report about the file.
///
/// [`load`]: crate::load
pub fn parse_manifest(text: &str) -> (Option<Manifest>, Vec<Diagnostic>) {
    let reading = manifest::read(text);
    (reading.manifest, about(MANIFEST_FILE, reading.findings, text))
}

/// Reads the text of an `amodal.json`: what it says about hooks, and what [`load`] would report about the text alone.
///
/// [`load`]: crate::load
///
/// # Errors
/// The text is not JSON, or has a value of a wrong type where hooks are concerned.
pub fn parse_settings(text: &str) -> Result<(ProjectConfig, Vec<Diagnostic>), ProjectError> {
    let settings = settings::parse(Path::new(SETTINGS_FILE), text.to_owned())?;
    Ok((settings.config, about(SETTINGS_FILE, settings.findings, text)))
}

/// Reads the text of a `policy.json`.
///
/// # Errors
/// What [`load_policy`](crate::load_policy) refuses in a file.
pub fn parse_policy(text: &str) -> Result<LoadedPolicy, PolicyError> {
    policy::parse(Path::new(POLICY_FILE), text)
}

fn about(file: &str, findings: Vec<Finding>, text: &str) -> Vec<Diagnostic> {
    Site::of_project(Path::new(""), Path::new(file)).diagnose_all(findings, text)
}
