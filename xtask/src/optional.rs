//! What tests of the HTTP service use where it is there: a browser for the page, and pip, which brings schemathesis.

// The tests look for it themselves, so that they also run without this program. There is one list of places.
#[path = "../../tests/src/chromium.rs"]
#[allow(unreachable_pub, reason = "it is public in the crate that has it")]
mod chromium;

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use self::chromium::{CHROMIUM, INSTALL_CHROMIUM, WITHOUT_CHROMIUM};

const WITHOUT_SCHEMATHESIS: &str = "HOOKHOST_TEST_WITHOUT_SCHEMATHESIS";
const INSTALL_PIP: &str = "install Python's pip (Debian: `apt-get install python3-pip`)";

/// Says what is there.
pub(crate) fn say() -> Result<()> {
    let chromium = chromium::chromium();
    match (&chromium, has_pip()) {
        (Some(path), true) => println!("Chromium is in place: {}; and so is pip", path.display()),
        (None, _) if std::env::var_os(CHROMIUM).is_some() => bail!("{CHROMIUM} names no file"),
        (None, _) => bail!("no Chromium is found: {INSTALL_CHROMIUM}"),
        (_, false) => bail!("no pip is found: {INSTALL_PIP}"),
    }
    Ok(())
}

/// Has tests skip what needs something that this machine has not. Returns what the user should know then.
pub(crate) fn excuses(tests: &mut Command) -> Vec<String> {
    let mut notes = Vec::new();
    let mut excuse = |variable, what, advice| {
        tests.env(variable, "1");
        notes
            .push(format!("note: {what} is not found, and the tests that need it are skipped; {advice} to run them\n"));
    };
    if chromium::chromium().is_none() {
        excuse(WITHOUT_CHROMIUM, "Chromium", INSTALL_CHROMIUM);
    }
    if !has_pip() {
        excuse(WITHOUT_SCHEMATHESIS, "pip", INSTALL_PIP);
    }
    notes
}

fn has_pip() -> bool {
    let python = if cfg!(windows) { "python" } else { "python3" };
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--version"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    pip.status().is_ok_and(|status| status.success())
}
