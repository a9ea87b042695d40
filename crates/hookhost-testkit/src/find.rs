//! Which fixture files there are, and which project each belongs to.

use std::path::{Path, PathBuf};

use hookhost_contract::FIXTURE_SUFFIX;
use walkdir::{DirEntry, WalkDir};

/// A fixture file and the project whose hooks it is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct FoundFile {
    /// The file, as reports show it: the path that was given, and what lies below it.
    pub file: PathBuf,
    /// The project's folder.
    pub project: PathBuf,
}

/// Why a path cannot be searched.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", .path.display())]
#[non_exhaustive]
pub struct FindError {
    /// The path that was given, or one below it.
    pub path: PathBuf,
    /// What is wrong and what to do.
    pub message: String,
}

/// Finds every `*.fixture.json` in `paths`: files as they are, folders with all that is below them. Hidden folders and
/// `node_modules` are left out. Each file once, in the order of their paths.
///
/// A file belongs to `project` if there is one, else to the nearest folder at or above it that is a project: it has an
/// `amodal.json`, or a folder `hooks` with a hook in it. Without such a folder it belongs to the current folder.
///
/// # Errors
/// A path does not exist, cannot be read, or is a file that is called something else.
pub fn find_fixtures(paths: &[PathBuf], project: Option<&Path>) -> Result<Vec<FoundFile>, FindError> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_file() {
            // Whoever names a file means it.
            if !is_fixture(path) && !is_recorded(path) {
                let message = format!(
                    "a fixture file is called something{FIXTURE_SUFFIX}, and recorded calls something.jsonl: rename it"
                );
                return Err(FindError { path: path.clone(), message });
            }
            files.push(path.clone());
            continue;
        }
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter().filter_entry(is_searched) {
            if let Err(error) = &entry
                && leads_nowhere(error)
            {
                continue;
            }
            let entry = entry.map_err(|error| {
                let path = error.path().unwrap_or(path).to_owned();
                let message = match error.io_error().map(std::io::Error::kind) {
                    Some(std::io::ErrorKind::NotFound) => {
                        format!("there is no such file or folder; fixtures are in *{FIXTURE_SUFFIX} files, recorded calls in *.jsonl files")
                    }
                    _ => error.io_error().map_or_else(|| error.to_string(), ToString::to_string),
                };
                FindError { path, message }
            })?;
            if !is_fixture(entry.path()) || entry.file_type().is_dir() {
                continue;
            }
            if !entry.file_type().is_file() {
                let message = "it is called as a fixture file, and is a device or a pipe: remove it".to_owned();
                return Err(FindError { path: entry.into_path(), message });
            }
            files.push(entry.into_path());
        }
    }
    let mut found: Vec<_> = files
        .into_iter()
        .map(|file| {
            // `./a` and `a` are shown alike.
            let file = file.strip_prefix(".").map(Path::to_owned).unwrap_or(file);
            let project = project.map_or_else(|| project_of(&file), Path::to_owned);
            FoundFile { file, project }
        })
        .collect();
    found.sort();
    let mut seen = std::collections::HashSet::new();
    found.retain(|found| seen.insert(std::fs::canonicalize(&found.file).unwrap_or_else(|_| found.file.clone())));
    Ok(found)
}

fn is_fixture(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(FIXTURE_SUFFIX))
}

/// A link to nothing that could be a fixture, or back to a folder that is being searched.
fn leads_nowhere(error: &walkdir::Error) -> bool {
    let is_missing = error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    let is_below = error.depth() > 0 && error.path().is_some_and(|path| !is_fixture(path));
    error.loop_ancestor().is_some() || (is_missing && is_below)
}

/// A fixture in each line, as a recorder writes them. Found by name only.
pub(crate) fn is_recorded(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "jsonl")
}

/// What is hidden or installed is not the project's own. The folder that was named is, whatever its name.
fn is_searched(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    entry.depth() == 0 || !(entry.file_type().is_dir() && (name.starts_with('.') || name == "node_modules"))
}

/// The project that a fixture file belongs to.
fn project_of(file: &Path) -> PathBuf {
    let here = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    // The shown path where it is one of its parents, so that messages name what was typed.
    let depth = here.ancestors().skip(1).position(is_project);
    match depth {
        Some(depth) => {
            let shown = file.ancestors().nth(depth + 1);
            match shown {
                Some(shown) if shown.as_os_str().is_empty() => PathBuf::from("."),
                Some(shown) => shown.to_owned(),
                None => here.ancestors().nth(depth + 1).map_or_else(|| PathBuf::from("."), Path::to_owned),
            }
        }
        None => PathBuf::from("."),
    }
}

fn is_project(folder: &Path) -> bool {
    folder.join(hookhost_loader::SETTINGS_FILE).is_file() || has_a_hook(&folder.join("hooks"))
}

fn has_a_hook(hooks: &Path) -> bool {
    std::fs::read_dir(hooks)
        .is_ok_and(|entries| entries.flatten().any(|entry| entry.path().join(hookhost_loader::MANIFEST_FILE).is_file()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}").unwrap();
        }
        folder
    }

    #[test]
    fn a_file_belongs_to_the_nearest_project_above_it() {
        let folder = tree(&[
            "hooks/a/hook.json",
            "hooks/a/a.fixture.json",
            "fixtures/hooks/b.fixture.json",
            "packages/inner/amodal.json",
            "packages/inner/tests/c.fixture.json",
            "node_modules/x/d.fixture.json",
            ".git/e.fixture.json",
            "notes.json",
        ]);
        let root = folder.path();
        let found = find_fixtures(&[root.to_owned(), root.join("hooks")], None).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.file.strip_prefix(root).unwrap(), found.project.strip_prefix(root).unwrap()))
            .collect();
        assert_eq!(
            found,
            [
                (Path::new("fixtures/hooks/b.fixture.json"), Path::new("")),
                (Path::new("hooks/a/a.fixture.json"), Path::new("")),
                (Path::new("packages/inner/tests/c.fixture.json"), Path::new("packages/inner")),
            ]
        );
        let other = find_fixtures(&[root.join("hooks")], Some(Path::new("/elsewhere"))).unwrap();
        assert_eq!(other[0].project, Path::new("/elsewhere"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_may_lead_anywhere() {
        let folder = tree(&["a/one.fixture.json", "outside/two.fixture.json"]);
        let root = folder.path();
        for (link, target) in [("a/up", ".."), ("a/gone", "nowhere"), ("a/other", "../outside")] {
            std::os::unix::fs::symlink(target, root.join(link)).unwrap();
        }
        let found = find_fixtures(&[root.join("a")], None).unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
        std::os::unix::fs::symlink("nowhere", root.join("a/gone.fixture.json")).unwrap();
        assert!(find_fixtures(&[root.join("a")], None).is_err(), "a fixture that is missing is missed");
    }

    #[test]
    fn what_cannot_be_searched_is_an_error() {
        let folder = tree(&["notes.json"]);
        let missing = find_fixtures(&[folder.path().join("absent")], None).unwrap_err();
        assert!(missing.to_string().contains("there is no such file or folder"), "{missing}");
        let other = find_fixtures(&[folder.path().join("notes.json")], None).unwrap_err();
        assert!(other.to_string().contains("rename it"), "{other}");
    }
}
