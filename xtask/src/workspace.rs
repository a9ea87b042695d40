//! Where the workspace is, and cargo as it runs there.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The checkout that this program belongs to.
pub(crate) struct Workspace {
    /// The folder that holds the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
}

impl Workspace {
    pub(crate) fn find() -> Result<Self> {
        // Cargo says at run time where the package is. What was true at compile time is the second choice: a target
        // folder can be shared by several checkouts.
        let package =
            env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        match package.parent() {
            Some(root) if root.join("Cargo.lock").is_file() => Ok(Self { root: root.to_owned() }),
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
        cargo
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
    fn only_the_description_of_a_package_is_taken_from_cargo() {
        for name in ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR", "CARGO_CRATE_NAME"] {
            assert!(describes_a_package(&name.into()), "{name}");
        }
        for name in ["CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_INCREMENTAL", "CARGO", "PATH"] {
            assert!(!describes_a_package(&name.into()), "{name}");
        }
    }
}
