//! Reads one hook folder: its manifest and which file is its handler.

use std::path::{Path, PathBuf};
use std::{fs, io};

use hookhost_contract::Manifest;

use crate::file::read_text;
use crate::finding::{Finding, Site};
use crate::manifest::{self, Reading, name_fault};
use crate::{Diagnostic, Position};

/// The manifest's file name.
pub const MANIFEST_FILE: &str = "hook.json";

/// The handler's file names; the first that exists is the handler.
pub const HANDLER_FILES: [&str; 3] = ["index.mjs", "index.js", "index.ts"];

/// A hook folder as it was found.
#[derive(Debug)]
pub(crate) struct FoundHook {
    /// The hook's name, or the best guess where the manifest cannot be read.
    pub(crate) name: String,
    /// Where its manifest gives the name.
    pub(crate) name_position: Option<Position>,
    /// The folder as it was reached, before symbolic links are resolved: what people recognise.
    pub(crate) entry: PathBuf,
    /// What runs, if nothing is wrong that forbids it.
    pub(crate) usable: Option<UsableHook>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

#[derive(Debug)]
pub(crate) struct UsableHook {
    /// The folder and the handler with symbolic links resolved: where Node would resolve imports from.
    pub(crate) folder: PathBuf,
    pub(crate) handler: PathBuf,
    pub(crate) manifest: Manifest,
}

/// An entry of `hooks/` that is no folder one could read.
pub(crate) fn broken(root: &Path, package: Option<&str>, entry: PathBuf, finding: Finding) -> FoundHook {
    let name = folder_name(&entry);
    let site = Site { root, package, hook: Some(&name), folder: Some(&entry), file: &entry };
    let diagnostics = vec![site.diagnose(finding, "")];
    FoundHook { name_position: None, usable: None, diagnostics, name, entry }
}

/// Reads the hook in the folder `entry`.
pub(crate) fn read(root: &Path, package: Option<&str>, entry: PathBuf) -> FoundHook {
    let manifest_file = entry.join(MANIFEST_FILE);
    let mut about_folder = Vec::new();
    let (text, reading) = match read_text(&manifest_file) {
        Ok(Some(text)) => {
            let reading = manifest::read(&text);
            (text, reading)
        }
        Ok(None) => {
            about_folder.push(no_manifest(&entry));
            (String::new(), Reading::default())
        }
        Err(fault) => {
            let finding = Finding::skip(fault.to_string()).at(fault.position());
            (String::new(), Reading::unusable(finding))
        }
    };
    let mut manifest = reading.manifest;

    // Only a manifest that is fine otherwise leaves the name to the folder.
    if manifest.is_some()
        && reading.name.is_none()
        && let Some(fault) = folder_name_fault(&entry)
    {
        let help = "give the hook a `name` in its hook.json, or rename the folder";
        about_folder.push(Finding::skip(format!("the folder's name is the hook's, and a name {fault}")).help(help));
        manifest = None;
    }
    let handler = match handler(&entry) {
        Ok(handler) => Some(handler),
        Err(finding) => {
            about_folder.push(finding);
            None
        }
    };
    // The folder was listed a moment ago; if it cannot be resolved now, it is gone or guarded.
    let folder = match dunce::canonicalize(&entry) {
        Ok(folder) => Some(folder),
        Err(error) => {
            about_folder.push(Finding::skip(format!("this folder cannot be opened: {error}")));
            None
        }
    };

    let name = reading.name.unwrap_or_else(|| folder_name(&entry));
    let site = |file| Site { root, package, hook: Some(&name), folder: Some(&entry), file };
    let mut diagnostics = site(&manifest_file).diagnose_all(reading.findings, &text);
    diagnostics.extend(site(&entry).diagnose_all(about_folder, ""));
    let usable = match (folder, handler, manifest) {
        (Some(folder), Some(handler), Some(manifest)) => Some(UsableHook { folder, handler, manifest }),
        _ => None,
    };
    FoundHook { name_position: reading.name_position, usable, diagnostics, name, entry }
}

fn folder_name(entry: &Path) -> String {
    entry.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn folder_name_fault(entry: &Path) -> Option<String> {
    match entry.file_name().and_then(|name| name.to_str()) {
        Some(name) => name_fault(name),
        None => Some("must be valid Unicode".to_owned()),
    }
}

fn no_manifest(entry: &Path) -> Finding {
    let finding = Finding::skip("this folder has no hook.json");
    match similar_file(entry) {
        Some(similar) => finding.help(format!("is `{similar}` meant to be it? rename it to hook.json")),
        None => finding.help(
            "add one, at least `{\"points\": [\"preToolUse\"]}`; a folder that is no hook belongs outside of hooks/",
        ),
    }
}

/// A file that was probably meant to be the manifest.
fn similar_file(entry: &Path) -> Option<String> {
    let mut names: Vec<_> = fs::read_dir(entry)
        .ok()?
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|name| {
            let name = name.to_ascii_lowercase();
            matches!(
                name.as_str(),
                "hook.json" | "hooks.json" | "hook.jsonc" | "hook.json5" | "hook.json.txt" | "manifest.json"
            )
        })
        .collect();
    names.sort();
    names.into_iter().next()
}

/// The handler's real path.
fn handler(entry: &Path) -> Result<PathBuf, Finding> {
    for name in HANDLER_FILES {
        let path = entry.join(name);
        // A name that is taken by something else is a mistake to report, not a reason to run the next file instead.
        let found = match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => {
                return dunce::canonicalize(&path).map_err(|error| unopened(name, &error));
            }
            Ok(metadata) if metadata.is_dir() => "a directory",
            Ok(_) => "a device or a pipe",
            Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::symlink_metadata(&path) {
                Ok(_) => "a symbolic link to something that does not exist",
                Err(_) => continue,
            },
            Err(error) => return Err(unopened(name, &error)),
        };
        return Err(Finding::skip(format!("{name} is {found}")).help("put the hook's module in its place"));
    }
    Err(Finding::skip("this folder has no handler").help("add index.mjs that exports `createHook`"))
}

fn unopened(name: &str, error: &io::Error) -> Finding {
    Finding::skip(format!("{name} cannot be opened: {error}")).help("check the path and its permissions")
}
