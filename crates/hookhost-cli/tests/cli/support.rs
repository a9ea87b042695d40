//! Runs the command, and shows all that came of it.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use hookhost_tests::{Redactor, workspace_root};
use serde_json::Value;
use tempfile::TempDir;

/// The smallest manifest.
pub(crate) const MANIFEST: &str = r#"{"points": ["preInput"]}"#;
/// The smallest handler.
pub(crate) const HANDLER: &str = "export default { run: () => ({ action: 'allow' }) };\n";

/// What came of a command.
pub(crate) struct Ran {
    line: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The command line.
    pub(crate) fn line(&self) -> &str {
        &self.line
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.map_or("none".to_owned(), |code| code.to_string());
        writeln!(f, "$ hookhost {}\nexit code {code}", self.line)?;
        for (stream, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                writeln!(f, "--- {stream}\n{}", text.trim_end())?;
            }
        }
        Ok(())
    }
}

/// The command itself, without what the developer's own terminal would say to it.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hookhost"));
    command.current_dir(folder);
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_LOG", "GITHUB_ACTIONS"] {
        command.env_remove(variable);
    }
    command
}

/// Runs a command line in the workspace's folder.
pub(crate) fn hookhost(line: &str) -> Ran {
    run(&workspace_root(), line, "")
}

/// The same, with a text on standard input.
pub(crate) fn hookhost_reading(line: &str, stdin: impl Into<Vec<u8>>) -> Ran {
    run(&workspace_root(), line, stdin)
}

fn run(folder: &Path, line: &str, stdin: impl Into<Vec<u8>>) -> Ran {
    let output = command(folder).args(line.split_whitespace()).write_stdin(stdin).output().unwrap();
    let redactor = match folder == workspace_root() {
        true => Redactor::new(),
        false => Redactor::new().path(folder, "<folder>"),
    };
    let text = |bytes| redactor.redact(&String::from_utf8(bytes).expect("the command prints UTF-8"));
    Ran { line: line.to_owned(), code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A temporary folder, with a project in `agent`.
pub(crate) struct Folder {
    dir: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self { dir: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
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

    /// A hook of the project.
    pub(crate) fn hook(self, name: &str, manifest: impl AsRef<[u8]>, handler: &str) -> Self {
        self.file(&format!("agent/hooks/{name}/hook.json"), manifest)
            .file(&format!("agent/hooks/{name}/index.mjs"), handler)
    }

    /// A symbolic link, with a target as it is written into the link.
    #[cfg(unix)]
    pub(crate) fn link(self, path: &str, target: &str) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
        self
    }

    /// Runs a command line in the folder.
    pub(crate) fn hookhost(&self, line: &str) -> Ran {
        run(self.dir.path(), line, "")
    }

    pub(crate) fn hookhost_reading(&self, line: &str, stdin: impl Into<Vec<u8>>) -> Ran {
        run(self.dir.path(), line, stdin)
    }
}
