//! Where the workspace is, and cargo as it runs there.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::libclang::config;

/// The checkout that this program belongs to.
pub(crate) struct Workspace {
    /// The folder that holds the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Environment variables that this process has from cargo's configuration, as that was when it started.
    configured: Vec<&'static str>,
}

impl Workspace {
    /// The checkout in the folder `root`.
    pub(crate) fn at(root: PathBuf) -> Self {
        let configured = config::configured(&root, |name| env::var(name).ok());
        Self { root, configured }
    }

    pub(crate) fn find() -> Result<Self> {
        // Cargo says at run time where the package is. What was true at compile time is the second choice: a target
        // folder can be shared by several checkouts.
        let package =
            env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        match package.parent() {
            Some(root) if root.join("Cargo.lock").is_file() => Ok(Self::at(root.to_owned())),
            _ => bail!("{} is not inside the workspace; start this as `cargo xtask`", package.display()),
        }
    }

    /// A cargo command in the workspace's root.
    pub(crate) fn cargo<const N: usize>(&self, args: [&str; N]) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.root).args(args);
        // `cargo run` describes the xtask package to this process. Some build scripts (ring's) run again whenever
        // one of these variables differs, so with them `cargo xtask test` and `cargo test` would undo each other.
        for (name, _) in env::vars_os().filter(|(name, _)| describes_a_package(name)) {
            cargo.env_remove(name);
        }
        // Cargo sets them again, from its configuration as it is by then.
        for name in &self.configured {
            cargo.env_remove(name);
        }
        cargo
    }

    /// An environment variable that the user has set: not cargo, from its configuration.
    pub(crate) fn user_var(&self, name: &str) -> Option<OsString> {
        env::var_os(name).filter(|_| !self.configured.contains(&name))
    }

    /// What a cargo command prints to standard output; its messages go to the terminal.
    pub(crate) fn cargo_output<const N: usize>(&self, args: [&str; N]) -> Result<Vec<u8>> {
        let output =
            self.cargo(args).stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("cannot start cargo")?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(crate::run::Failed::new(&format!("cargo {}", args.join(" ")), output.status).into()),
        }
    }

    /// Where cargo keeps what build scripts leave behind.
    pub(crate) fn build_directory(&self) -> Result<PathBuf> {
        let metadata = self.cargo_output(["metadata", "--no-deps", "--format-version=1"])?;
        let metadata: serde_json::Value = serde_json::from_slice(&metadata)?;
        // Older versions of cargo keep everything in one folder.
        ["build_directory", "target_directory"]
            .into_iter()
            .find_map(|key| metadata[key].as_str())
            .map(PathBuf::from)
            .context("cargo metadata names no target directory")
    }

    /// `path` as people want to read it: from the root, when it is inside.
    pub(crate) fn show<'p>(&self, path: &'p Path) -> std::path::Display<'p> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }
}

/// Cargo's own folder, which every checkout uses.
pub(crate) fn cargo_home() -> Result<PathBuf> {
    match env::var_os("CARGO_HOME").filter(|home| !home.is_empty()) {
        Some(home) => std::path::absolute(home).context("CARGO_HOME is not a path"),
        None => env::home_dir().map(|home| home.join(".cargo")).context("no home directory; set CARGO_HOME"),
    }
}

fn describes_a_package(variable: &OsString) -> bool {
    let Some(name) = variable.to_str() else {
        return false;
    };
    ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_"].iter().any(|prefix| name.starts_with(prefix))
        || ["CARGO_CRATE_NAME", "CARGO_PRIMARY_PACKAGE"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_has_set_is_left_to_cargo() {
        // Any variable that is set would do.
        let workspace = Workspace { root: env::temp_dir(), configured: vec!["PATH"] };
        assert!(workspace.cargo(["build"]).get_envs().any(|(name, value)| name == "PATH" && value.is_none()));
        assert_eq!(workspace.user_var("PATH"), None);
        let workspace = Workspace { root: env::temp_dir(), configured: Vec::new() };
        assert!(workspace.cargo(["build"]).get_envs().all(|(name, _)| name != "PATH"));
        assert_eq!(workspace.user_var("PATH"), env::var_os("PATH"));
        assert!(workspace.user_var("PATH").is_some());
    }

    #[test]
    fn only_the_description_of_a_package_is_taken_from_cargo() {
        for name in ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR", "CARGO_CRATE_NAME"] {
            assert!(describes_a_package(&name.into()), "{name}");
        }
        for name in ["CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_INCREMENTAL", "CARGO", "PATH"] {
            assert!(!describes_a_package(&name.into()), "{name}");
        }
    }
}
