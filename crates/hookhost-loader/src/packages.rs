//! Finds installed packages the way Node does.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What is wrong with a package's name, if anything. The name becomes part of a path, so it must not lead elsewhere.
pub(crate) fn name_fault(name: &str) -> Option<&'static str> {
    let (scope, rest) = match name.strip_prefix('@') {
        Some(scoped) => match scoped.split_once('/') {
            Some((scope, rest)) => (Some(scope), rest),
            None => return Some("a scope needs a name after it, as in `@acme/pack`"),
        },
        None => (None, name),
    };
    if rest.contains('/') {
        return Some("a package has no `/` in its name, except after its scope, as in `@acme/pack`");
    }
    scope.into_iter().chain([rest]).find_map(|part| {
        if part.is_empty() {
            Some("it is empty; write it as in `@acme/pack`")
        } else if part.starts_with('.') {
            Some("no part of it may start with a dot")
        } else if part == "node_modules" {
            Some("`node_modules` is the folder that packages are in")
        } else if part.contains(|c: char| matches!(c, '\\' | ':') || c.is_control()) {
            Some("it may not contain `\\`, `:` or control characters")
        } else {
            None
        }
    })
}

/// The folder of an installed package, as it is reached from `root`: in the `node_modules` of the project or of the
/// nearest folder above it.
pub(crate) fn find(root: &Path, name: &str) -> Option<PathBuf> {
    root.ancestors()
        // As in Node: nobody installs into `node_modules/node_modules`.
        .filter(|folder| folder.file_name() != Some(OsStr::new("node_modules")))
        .map(|folder| folder.join("node_modules").join(name))
        .find(|folder| folder.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_name_cannot_lead_elsewhere() {
        for name in ["pack", "@acme/pack", "a.b", "lodash-es"] {
            assert_eq!(name_fault(name), None, "{name}");
        }
        for name in [
            "",
            ".",
            "..",
            "../pack",
            "/etc",
            "a/b",
            "@acme",
            "@/pack",
            "@acme/",
            "@acme/..",
            "@acme/pack/x",
            "@../pack",
            ".bin",
            "C:\\pack",
            "C:",
            "a\\..\\b",
            "a\0",
            "node_modules",
        ] {
            assert!(name_fault(name).is_some(), "{name:?}");
        }
    }
}
