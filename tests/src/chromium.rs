//! The browser that the page is tested in.

use std::env;
use std::path::{Path, PathBuf};

/// Names the browser's program.
pub const CHROMIUM: &str = "HOOKHOST_CHROMIUM";
/// Set: tests that need a browser are skipped.
pub const WITHOUT_CHROMIUM: &str = "HOOKHOST_TEST_WITHOUT_CHROMIUM";
/// What to do on a machine without one.
pub const INSTALL_CHROMIUM: &str =
    "install Chromium (Debian: `apt-get install chromium`), or name one in HOOKHOST_CHROMIUM";

/// Where it is: what the environment names, or else what is on the search path.
pub fn chromium() -> Option<PathBuf> {
    if let Some(named) = env::var_os(CHROMIUM) {
        return Some(PathBuf::from(named)).filter(|path| path.is_file());
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome.exe"];
    let path = env::var_os("PATH")?;
    let installed = ["/Applications/Chromium.app/Contents/MacOS", "/Applications/Google Chrome.app/Contents/MacOS"];
    let folders = env::split_paths(&path).chain(installed.map(|folder| Path::new(folder).to_owned()));
    folders.flat_map(|folder| names.map(|name| folder.join(name))).find(|path| path.is_file())
}
