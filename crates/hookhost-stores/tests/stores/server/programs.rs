//! Where the programs of a PostgreSQL server are.
//!
//! `cargo xtask` has this file too, so that it knows what the tests will find.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The variable that makes tests skip what needs a server, where none is installed.
pub(crate) const WITHOUT_POSTGRES: &str = "HOOKHOST_TEST_WITHOUT_POSTGRES";

/// What to do where no server is found.
pub(crate) const INSTALL: &str = "install PostgreSQL (on Debian and Ubuntu: the package `postgresql`)";

/// Where installers put the versions of PostgreSQL: a folder, and how the names in it begin.
const PLACES: [(&str, &str); 5] = [
    ("/usr/lib/postgresql", ""),
    ("/usr", "pgsql-"),
    ("/opt/homebrew/opt", "postgresql"),
    ("/usr/local/opt", "postgresql"),
    ("/Library/PostgreSQL", ""),
];

/// The folder with `initdb` and `postgres`: the first in `PATH`, or else the newest version that is installed.
pub(crate) fn folder() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let in_path = env::split_paths(&path).find(|folder| has_both(folder));
    in_path.or_else(|| PLACES.iter().find_map(|(folder, begin)| newest(Path::new(folder), begin)))
}

fn newest(folder: &Path, begin: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let versions = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(begin));
    let mut versions: Vec<_> = versions.map(|entry| entry.path().join("bin")).filter(|bin| has_both(bin)).collect();
    versions.sort_by_key(|bin| bin.parent().and_then(Path::file_name).map(number));
    versions.pop()
}

/// The version in a name such as `15` or `postgresql@17`.
fn number(name: &OsStr) -> u32 {
    let digits: String = name.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

fn has_both(folder: &Path) -> bool {
    ["initdb", "postgres"].iter().all(|program| folder.join(program).is_file())
}
