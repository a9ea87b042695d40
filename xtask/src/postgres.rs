//! The PostgreSQL server that the tests of `hookhost-stores` start.

// The tests look for it themselves, so that they also run without this program. There is one list of places.
#[path = "../../crates/hookhost-stores/tests/stores/server/programs.rs"]
mod programs;

use std::process::Command;

use anyhow::{Result, bail};

use self::programs::{INSTALL, WITHOUT_POSTGRES};

/// Says where the server is.
pub(crate) fn say() -> Result<()> {
    match programs::folder() {
        Some(folder) => println!("PostgreSQL is in place: {}", folder.display()),
        None => bail!("no PostgreSQL server is found: {INSTALL}"),
    }
    Ok(())
}

/// Has tests skip what needs a server, on a machine without one. Returns what the user should know then, before the
/// tests and after them.
pub(crate) fn excuse(tests: &mut Command) -> Option<String> {
    if programs::folder().is_some() {
        return None;
    }
    tests.env(WITHOUT_POSTGRES, "1");
    Some(format!(
        "note: no PostgreSQL server is found, and the tests that need one are skipped; {INSTALL} to run them\n"
    ))
}
