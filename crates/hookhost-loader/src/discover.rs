//! Lists the folders in a `hooks/` directory.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::finding::Finding;
use crate::{DiagnosticCode, Severity};

/// What is in a `hooks/` directory.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// The hook folders, sorted by name.
    pub(crate) folders: Vec<PathBuf>,
    /// Entries that should perhaps be hook folders and cannot be followed.
    pub(crate) broken: Vec<(PathBuf, Finding)>,
    /// What is wrong with the directory itself.
    pub(crate) findings: Vec<Finding>,
    /// Whether there is anything of that name.
    pub(crate) exists: bool,
}

/// Lists the hook folders in `hooks`, which need not exist. Files and hidden entries are none, nor is `node_modules`.
/// Only one level is read, so a symbolic link that leads back up is followed once and cannot loop.
pub(crate) fn hook_folders(hooks: &Path) -> Listing {
    let mut listing = Listing { exists: true, ..Listing::default() };
    match fs::metadata(hooks) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            let message = "this is a file, so no hook is loaded from here: make it a folder with one folder per hook";
            listing.findings.push(Finding::new(Severity::Warning, DiagnosticCode::HooksNotAFolder, message));
            return listing;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && fs::symlink_metadata(hooks).is_err() => {
            listing.exists = false;
            return listing;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let message = "this is a symbolic link to something that does not exist, so its hooks are missing";
            let finding = Finding::new(Severity::Error, DiagnosticCode::HooksUnreadable, message);
            listing.findings.push(finding.help("repair the link or remove it"));
            return listing;
        }
        Err(error) => {
            listing.findings.push(unreadable(&error));
            return listing;
        }
    }
    let entries = match fs::read_dir(hooks) {
        Ok(entries) => entries,
        Err(error) => {
            listing.findings.push(unreadable(&error));
            return listing;
        }
    };
    for entry in entries {
        let path = match entry {
            Ok(entry) => entry.path(),
            Err(error) => {
                listing.findings.push(unreadable(&error));
                continue;
            }
        };
        if path.file_name().is_none_or(is_ignored) {
            continue;
        }
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => listing.folders.push(path),
            Ok(_) => {}
            Err(error) => {
                let finding = unfollowed(&error);
                listing.broken.push((path, finding));
            }
        }
    }
    listing.folders.sort();
    listing.broken.sort_by(|a, b| a.0.cmp(&b.0));
    listing
}

fn is_ignored(name: &OsStr) -> bool {
    name == "node_modules" || name.as_encoded_bytes().starts_with(b".")
}

fn unreadable(error: &io::Error) -> Finding {
    let message = format!("this folder cannot be listed, so its hooks are missing: {error}");
    Finding::new(Severity::Error, DiagnosticCode::HooksUnreadable, message).help("check the path and its permissions")
}

fn unfollowed(error: &io::Error) -> Finding {
    match error.kind() {
        io::ErrorKind::NotFound => Finding::skip("this is a symbolic link to something that does not exist")
            .help("repair the link or remove it"),
        _ => Finding::skip(format!("this folder cannot be opened: {error}")).help("check the path and its permissions"),
    }
}
