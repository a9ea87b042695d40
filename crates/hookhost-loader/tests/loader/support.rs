//! A project in a temporary folder, and what loading it says with that folder's path masked.

use std::fs;
use std::path::{Path, PathBuf};

use hookhost_loader::{Project, ProjectError, load};
use tempfile::TempDir;

/// The smallest manifest.
pub(crate) const MANIFEST: &str = r#"{"points": ["preToolUse"]}"#;

pub(crate) struct Tree {
    dir: TempDir,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self { dir: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(path)
    }

    pub(crate) fn dir(self, path: &str) -> Self {
        fs::create_dir_all(self.path(path)).unwrap();
        self
    }

    pub(crate) fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// A hook folder with a handler.
    pub(crate) fn hook(self, folder: &str, manifest: impl AsRef<[u8]>) -> Self {
        self.file(&format!("{folder}/hook.json"), manifest)
            .file(&format!("{folder}/index.mjs"), "export default () => {}\n")
    }

    /// A symbolic link, with a target as it is written into the link.
    #[cfg(unix)]
    pub(crate) fn link(self, path: &str, target: &str) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
        self
    }

    pub(crate) fn load(&self) -> Project {
        self.load_at("").unwrap()
    }

    pub(crate) fn load_at(&self, path: &str) -> Result<Project, ProjectError> {
        load(&self.path(path))
    }

    /// Each problem in a line of its own, then the hooks in load order.
    pub(crate) fn report(&self) -> String {
        self.mask(&describe(&self.load()))
    }

    pub(crate) fn report_at(&self, path: &str) -> String {
        self.mask(&describe(&self.load_at(path).unwrap()))
    }

    pub(crate) fn error(&self) -> String {
        self.error_at("")
    }

    pub(crate) fn error_at(&self, path: &str) -> String {
        match self.load_at(path) {
            Ok(project) => panic!("loaded: {}", describe(&project)),
            Err(error) => self.mask(&error.to_string()),
        }
    }

    pub(crate) fn mask(&self, text: &str) -> String {
        let root = self.path("");
        let root = root.to_string_lossy().replace('\\', "/");
        text.replace(root.trim_end_matches('/'), "[root]")
    }

    pub(crate) fn below(&self, path: &Path) -> String {
        self.mask(&path.to_string_lossy().replace('\\', "/"))
    }
}

fn describe(project: &Project) -> String {
    let mut lines: Vec<_> =
        project.report.diagnostics.iter().map(|diagnostic| format!("{:?} {diagnostic}", diagnostic.severity)).collect();
    let hooks: Vec<_> = project.hooks.iter().map(|hook| hook.name.as_str()).collect();
    lines.push(format!("loaded: [{}]", hooks.join(", ")));
    lines.join("\n")
}

/// One snapshot for many small cases: each case's heading, what was written, and what was said.
#[derive(Default)]
pub(crate) struct Cases {
    text: String,
}

impl Cases {
    pub(crate) fn add(&mut self, case: &str, said: &str) {
        self.text.push_str(&format!("# {case}\n{said}\n\n"));
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
