//! The program that tries what an OpenAPI document promises.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::{Fault, workspace_root};

/// Set: tests that need schemathesis are skipped.
pub const WITHOUT_SCHEMATHESIS: &str = "HOOKHOST_TEST_WITHOUT_SCHEMATHESIS";

const PYTHON_IS_NEEDED: &str = "install Python 3.10 or later, with pip (Debian: `apt-get install python3-pip`): the service \
                                is tested with schemathesis, which comes from PyPI";

/// A command that runs it. It is installed with pip into a folder under `cache`, if it is not there yet.
///
/// # Errors
/// Python or pip is missing, or cannot install it, in words that say what to do.
pub fn schemathesis(cache: &Path) -> Result<Command, Fault> {
    let requirements = workspace_root().join("tests/contract/requirements.txt");
    let hash: String = Sha256::digest(fs::read(&requirements)?).iter().take(8).map(|it| format!("{it:02x}")).collect();
    let cache = cache.join("python");
    fs::create_dir_all(&cache)?;
    let installed = cache.join(&hash);
    if !installed.is_dir() {
        let begun = cache.join(format!("{hash}.begun"));
        if begun.is_dir() {
            fs::remove_dir_all(&begun)?;
        }
        pip_install(&requirements, &begun)?;
        fs::rename(&begun, &installed)?;
    }
    let mut command = Command::new(python());
    command.args(["-m", "schemathesis.cli"]).env("PYTHONPATH", installed);
    Ok(command)
}

fn pip_install(requirements: &Path, folder: &Path) -> Result<(), Fault> {
    let output = Command::new(python())
        .args(["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "--target"])
        .arg(folder)
        .arg("--requirement")
        .arg(requirements)
        .output()
        .map_err(|error| format!("cannot run `{}`: {error}; {PYTHON_IS_NEEDED}", python().display()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("schemathesis cannot be installed: pip says:\n{}\n{PYTHON_IS_NEEDED}", said.trim()).into())
}

fn python() -> PathBuf {
    PathBuf::from(if cfg!(windows) { "python" } else { "python3" })
}
