//! A new hook: folder, manifest, handler with types, and fixtures that pass.

mod template;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hookhost::Point;

use self::template::Template;
use crate::types;

/// In which language a handler is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// JavaScript with types in comments: `index.mjs`.
    #[default]
    JavaScript,
    /// TypeScript, whose types are stripped when it is loaded: `index.ts`.
    TypeScript,
}

/// A hook to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewHook {
    /// Its name, which is that of its folder.
    pub name: String,
    /// Where it is called: points of a turn. With one, the handler shows every decision that makes sense there.
    pub points: Vec<Point>,
    /// Default: JavaScript.
    pub language: Language,
}

/// Why a hook is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NewHookError {
    /// The name cannot be that of a folder everywhere.
    #[error(
        "`{0}` is no name for a hook: use letters, digits, `-` and `_`, beginning with a letter or a digit, 64 at most"
    )]
    Name(String),
    /// There is such a hook, or something else of that name.
    #[error("{} is there already: choose another name", .0.display())]
    Exists(PathBuf),
    /// Another hook goes by that name.
    #[error("the hook in {} is called `{name}`: choose another name", .folder.display())]
    Taken {
        /// The name.
        name: String,
        /// The other hook's folder.
        folder: PathBuf,
    },
    /// An event, where fixtures cannot call.
    #[error("`{0}` is an event: `new` writes hooks for the points of a turn, {names}", names = Point::NAMES.join(", "))]
    Event(Point),
    /// There is no point.
    #[error("a hook is called at one point at least: name one of {names}", names = Point::NAMES.join(", "))]
    NoPoint,
    /// The project cannot be read.
    #[error(transparent)]
    Project(#[from] hookhost_loader::ProjectError),
    /// A file cannot be written.
    #[error("cannot write {}: {error}", .file.display())]
    Io {
        /// The file or folder.
        file: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

impl NewHook {
    /// A hook in JavaScript.
    pub fn new(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { name: name.into(), points, language: Language::JavaScript }
    }

    /// Chooses the language.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// Writes the hook into the folder `project`, as `hooks/<name>/`, and the types and schemas that it names if the project
    /// has none. Nothing that is there is touched. Returns the files that were written.
    ///
    /// # Errors
    /// The name or a point cannot be, the name is taken, the project cannot be read, or a file cannot be written.
    pub fn write(&self, project: &Path) -> Result<Vec<PathBuf>, NewHookError> {
        let Self { name, points, language } = self;
        if !is_name(name) {
            return Err(NewHookError::Name(name.clone()));
        }
        if let Some(event) = points.iter().find(|point| point.is_event()) {
            return Err(NewHookError::Event(event.clone()));
        }
        let template = Template::of(points).ok_or(NewHookError::NoPoint)?;
        let folder = project.join("hooks").join(name);
        if fs::symlink_metadata(&folder).is_ok() {
            return Err(NewHookError::Exists(folder));
        }
        let loaded = hookhost_loader::load(project)?;
        if let Some(other) = loaded.hooks.iter().find(|hook| &hook.name == name) {
            return Err(NewHookError::Taken { name: name.clone(), folder: other.folder.clone() });
        }

        let handler = match language {
            Language::JavaScript => "index.mjs",
            Language::TypeScript => "index.ts",
        };
        let files = [
            (folder.join("hook.json"), template.manifest(points)),
            (folder.join(handler), template.handler(points, *language)),
            (folder.join(format!("{name}.fixture.json")), template.fixtures(name, points)),
        ];
        fs::create_dir_all(&folder).map_err(|error| NewHookError::Io { file: folder.clone(), error })?;
        let mut written = Vec::new();
        for (file, text) in files {
            fs::write(&file, text).map_err(|error| NewHookError::Io { file: file.clone(), error })?;
            written.push(file);
        }
        let missing = types::write_missing(project).map_err(|(file, error)| NewHookError::Io { file, error })?;
        written.extend(missing);
        Ok(written)
    }
}

/// A name that is a folder's name on every system, and needs no quotes in a shell.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    name.len() <= 64 && name.chars().all(is_plain) && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folders_everywhere() {
        for name in ["a", "path-guard", "v2_guard", "2fast"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "-a", "_a", "a b", "a/b", "..", "ä", "a.b", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn nothing_that_is_there_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let hook = NewHook::new("guard", vec![Point::PreInput]);
        let written = hook.write(folder.path()).unwrap();
        assert!(written.contains(&folder.path().join("hookhost.d.ts")));
        assert!(matches!(hook.write(folder.path()), Err(NewHookError::Exists(_))));
        fs::write(folder.path().join("hookhost.d.ts"), "mine").unwrap();
        let other = NewHook::new("other", vec![Point::PostTurn]).language(Language::TypeScript);
        assert_eq!(other.write(folder.path()).unwrap().len(), 3);
        assert_eq!(fs::read_to_string(folder.path().join("hookhost.d.ts")).unwrap(), "mine");
        fs::write(folder.path().join("hooks/other/hook.json"), r#"{"name": "third", "points": ["preInput"]}"#).unwrap();
        let third = NewHook::new("third", vec![Point::PreInput]).write(folder.path());
        assert!(matches!(third, Err(NewHookError::Taken { .. })));
        let event = NewHook::new("event", vec!["tool:pre".parse().unwrap()]).write(folder.path());
        assert!(matches!(event, Err(NewHookError::Event(_))));
        assert!(matches!(NewHook::new("none", vec![]).write(folder.path()), Err(NewHookError::NoPoint)));
    }
}
