//! The one place that masks what differs from run to run and from machine to machine.

use std::env;
use std::path::{Path, PathBuf};

use regex::Regex;
use url::Url;

/// The folder of the workspace. Asked for when the test runs: one target directory may serve several checkouts.
pub fn workspace_root() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let package = Path::new(&package).canonicalize().unwrap_or_default();
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.unwrap_or(&package).to_owned()
}

/// Masks ids, durations and paths.
#[derive(Debug)]
pub struct Redactor {
    paths: Vec<(String, String)>,
    patterns: Vec<(Regex, &'static str)>,
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new()
    }
}

impl Redactor {
    /// Masks the workspace's folder; see [`Redactor::path`] for others.
    pub fn new() -> Self {
        let patterns = [
            (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<id>"),
            (r#""durationMs": [0-9.e-]+"#, r#""durationMs": "<ms>""#),
            // In a table the width of a column depends on the times in it.
            (r"(?m)\b\d+\.\d ms$", "<ms>"),
            (r"\b\d+\.\d ms +", "<ms>  "),
            (r"(?m)^(  hook .*) time +reason$", "$1 time  reason"),
            (r"(?m)^ {16,}", "                "),
            (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", "<time>"),
        ];
        let patterns = patterns.map(|(pattern, mask)| Some((Regex::new(pattern).ok()?, mask)));
        let redactor = Self { paths: Vec::new(), patterns: patterns.into_iter().flatten().collect() };
        redactor.path(&workspace_root(), "<root>")
    }

    /// Masks another folder.
    #[must_use]
    pub fn path(mut self, path: &Path, mask: &str) -> Self {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        for path in [real.as_path(), path] {
            let text = path.to_string_lossy();
            let mut forms = vec![text.replace('\\', "/"), text.into_owned()];
            // In a URL a blank is written `%20`.
            forms.extend(Url::from_file_path(path).map(|url| url.path().to_owned()));
            self.paths.extend(forms.into_iter().map(|form| (form, mask.to_owned())));
        }
        self
    }

    /// The text with its masks on.
    pub fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        // The latest first: a folder may lie in an earlier one.
        for (path, mask) in self.paths.iter().rev() {
            text = text.replace(path, mask);
        }
        for (pattern, mask) in &self.patterns {
            text = pattern.replace_all(&text, *mask).into_owned();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_varies_is_masked() {
        let redactor = Redactor::new().path(Path::new("/somewhere/e lse"), "<there>");
        let redact = |text: &str| redactor.redact(text);
        assert_eq!(redact("\"id\": \"01a22d62-2a23-70aa-b0b0-60693a3b474d\""), "\"id\": \"<id>\"");
        assert_eq!(redact("\"durationMs\": 0.783,"), "\"durationMs\": \"<ms>\",");
        assert_eq!(redact("\"durationMs\": 1e-5,"), "\"durationMs\": \"<ms>\",");
        assert_eq!(redact("/somewhere/e lse/x.mjs"), "<there>/x.mjs");
        assert_eq!(redact("file:///somewhere/e%20lse/x.mjs"), "file://<there>/x.mjs");
        assert_eq!(redact(&format!("{}/hooks", workspace_root().display())), "<root>/hooks");
    }

    #[test]
    fn a_table_looks_the_same_however_long_its_times_are() {
        let table = |time: &str| {
            let gap = " ".repeat(time.len());
            let title = format!("{:1$}", "time", time.len());
            format!(
                "  hook  answer  {title}  reason\n  a     allow   2.6 ms\n  b     block   {time}  no\n{gap:>26}never\n"
            )
        };
        assert_eq!(Redactor::new().redact(&table("2.5 ms")), Redactor::new().redact(&table("110.1 ms")));
    }

    #[test]
    fn a_limit_is_no_duration() {
        let text = "the hook did not answer within 100 ms";
        assert_eq!(Redactor::new().redact(text), text);
    }
}
