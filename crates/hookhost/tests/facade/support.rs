//! A project in a temporary folder.

use std::fs;
use std::path::PathBuf;

use hookhost::{Call, Decision, FailureCause, HookHost, HookHostBuilder};
use serde_json::Value;
use tempfile::TempDir;

/// The smallest manifest.
pub(crate) const MANIFEST: &str = r#"{"points": ["preInput"]}"#;

pub(crate) struct Project {
    dir: TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        Self { dir: TempDir::new().unwrap() }
    }

    /// A project with one hook, called `guard`.
    pub(crate) fn of(manifest: &str, module: &str) -> Self {
        Self::new().hook("guard", manifest, module)
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(crate) fn file(self, path: &str, content: &str) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn hook(self, name: &str, manifest: &str, module: &str) -> Self {
        self.file(&format!("hooks/{name}/hook.json"), manifest).file(&format!("hooks/{name}/index.mjs"), module)
    }

    pub(crate) fn builder(&self) -> HookHostBuilder {
        HookHost::builder().project(self.dir.path())
    }

    pub(crate) async fn host(&self) -> HookHost {
        self.builder().build().await.unwrap()
    }
}

/// Asks at preInput.
pub(crate) async fn ask(host: &HookHost, text: &str) -> Decision {
    host.decide(Call::pre_input(text)).await
}

/// Why the first hook failed.
pub(crate) fn cause(decision: &Decision) -> Option<FailureCause> {
    decision.runs[0].failure.as_ref().map(|failure| failure.cause)
}

/// What the first log line says, as JSON.
pub(crate) fn logged(decision: &Decision) -> Value {
    serde_json::from_str(&decision.logs[0].message).unwrap()
}
