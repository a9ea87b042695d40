//! `.cargo/libclang.toml`: tells cargo, in this checkout, where the fetched libclang is.
//!
//! A file of its own, which `.cargo/config.toml` includes when it is there: while `LIBCLANG_PATH` is set, clang-sys
//! looks nowhere else, so a machine that has a libclang must be without it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::place;

/// Where clang-sys looks for the library.
pub(crate) const LIBRARY: &str = "LIBCLANG_PATH";
/// Arguments for clang. `C_INCLUDE_PATH` would do too, but every C compiler reads that.
const ARGUMENTS: &str = "BINDGEN_EXTRA_CLANG_ARGS";

/// What the file has to say.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Config {
    /// The folder with libclang, if it is not where clang-sys looks anyway.
    pub(crate) library: Option<PathBuf>,
    /// The folder with the headers of a compiler, if libclang has none of its own.
    pub(crate) headers: Option<PathBuf>,
}

impl Config {
    /// Brings the file in line, and says whether it was not.
    pub(crate) fn put(&self, root: &Path) -> Result<bool> {
        let file = file(root);
        let text = self.text()?;
        if read(&file)? == text {
            return Ok(false);
        }
        match text.is_empty() {
            true => place::remove_if_present(&file)?,
            false => place::write(&text, &file)?,
        }
        Ok(true)
    }

    /// The text of the file; empty if there is no need for one.
    pub(crate) fn text(&self) -> Result<String> {
        let mut text = String::new();
        if let Some(folder) = &self.library {
            text += &line(LIBRARY, utf8(folder)?);
        }
        if let Some(folder) = &self.headers {
            // Quoted as in a shell: that is how bindgen splits it.
            let folder = shlex::try_quote(utf8(folder)?).context("a folder's name holds a NUL")?;
            text += &line(ARGUMENTS, &format!("-isystem {folder}"));
        }
        Ok(if text.is_empty() { text } else { format!("# Written by cargo xtask.\n[env]\n{text}") })
    }
}

/// The file, in the checkout at `root`.
pub(crate) fn file(root: &Path) -> PathBuf {
    root.join(".cargo/libclang.toml")
}

/// The variables that have the very value which the file gives them: cargo has set them, and not the user.
pub(crate) fn configured(root: &Path, var: impl Fn(&str) -> Option<String>) -> Vec<&'static str> {
    let text = read(&file(root)).unwrap_or_default();
    let lines: Vec<_> = text.lines().collect();
    [LIBRARY, ARGUMENTS]
        .into_iter()
        .filter(|name| var(name).is_some_and(|value| lines.contains(&line(name, &value).trim_end())))
        .collect()
}

fn line(name: &str, value: &str) -> String {
    // Quoted as JSON, which TOML reads the same way.
    format!("{name} = {}\n", serde_json::Value::from(value))
}

fn utf8(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is not UTF-8, so cargo's configuration cannot name it", path.display()))
}

fn read(file: &Path) -> Result<String> {
    match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read.with_context(|| format!("cannot read {}", file.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(library: Option<&str>, headers: Option<&str>) -> Config {
        Config { library: library.map(PathBuf::from), headers: headers.map(PathBuf::from) }
    }

    #[test]
    fn only_what_is_needed_is_said() {
        let both = config(Some("/c/lib"), Some("/c/include")).text().unwrap();
        assert!(
            both.ends_with("\n[env]\nLIBCLANG_PATH = \"/c/lib\"\nBINDGEN_EXTRA_CLANG_ARGS = \"-isystem /c/include\"\n")
        );
        assert!(!config(None, Some("/c/include")).text().unwrap().contains("LIBCLANG_PATH"));
        assert!(!config(Some("/c/lib"), None).text().unwrap().contains("BINDGEN"));
        assert_eq!(config(None, None).text().unwrap(), "");
    }

    #[test]
    fn names_are_quoted_for_toml_and_for_bindgen() {
        let folder = r"C:\my libs";
        let text = config(Some(folder), Some(folder)).text().unwrap();
        let value = |name: &str| -> String {
            let quoted = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = ")).unwrap();
            serde_json::from_str(quoted).unwrap()
        };
        assert!(text.contains(r#"LIBCLANG_PATH = "C:\\my libs""#), "{text}");
        assert_eq!(value(LIBRARY), folder);
        assert_eq!(shlex::split(&value(ARGUMENTS)).unwrap(), ["-isystem", folder]);
    }

    #[test]
    fn the_file_comes_changes_and_goes() {
        let root = tempfile::tempdir().unwrap();
        for (config, changes) in [
            (config(None, None), false),
            (config(Some("/one"), None), true),
            (config(Some("/one"), None), false),
            (config(Some("/two"), None), true),
            (config(None, None), true),
            (config(None, None), false),
        ] {
            assert_eq!(config.put(root.path()).unwrap(), changes, "{config:?}");
            assert_eq!(file(root.path()).exists(), config != Config::default());
        }
    }

    #[test]
    fn what_the_user_sets_is_told_from_what_cargo_sets() {
        let root = tempfile::tempdir().unwrap();
        let set = |library: &str| {
            let library = library.to_owned();
            configured(root.path(), move |name| (name == LIBRARY).then(|| library.clone()))
        };
        assert!(set("/c/lib").is_empty(), "without a file, cargo sets nothing");
        config(Some("/c/lib"), Some("/c/include")).put(root.path()).unwrap();
        assert_eq!(set("/c/lib"), [LIBRARY]);
        assert!(set("/mine").is_empty());
        assert!(set("/c/li").is_empty());
        let all = |name: &str| Some(if name == LIBRARY { "/c/lib" } else { "-isystem /c/include" }.to_owned());
        assert_eq!(configured(root.path(), all), [LIBRARY, ARGUMENTS]);
    }
}
