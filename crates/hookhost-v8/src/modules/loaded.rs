//! What an isolate was loaded from.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::coverage::SourceText;

/// The files that an isolate has read to load its hook: modules, JSON, what `require` loads.
///
/// Files that a hook reads by itself are not here, nor is what tells where a package is.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// What was read, as a hash; `None` for what could not be.
    files: Mutex<HashMap<PathBuf, Option<u64>>>,
    /// What V8 was given, by URL. `None` where nobody asks for it.
    sources: Option<Mutex<HashMap<String, SourceText>>>,
}

impl Loaded {
    /// With the texts that V8 is given, if `with_sources`.
    pub(crate) fn new(with_sources: bool) -> Self {
        Self { files: Mutex::default(), sources: with_sources.then(Mutex::default) }
    }

    /// The files, sorted.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<_> = self.files.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect();
        paths.sort();
        paths
    }

    /// True if one of the files would be read differently now.
    pub(crate) fn has_changed(&self) -> bool {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner).clone();
        files.iter().any(|(path, hash)| hash_now(path) != *hash)
    }

    /// A file was read, or could not be.
    pub(crate) fn read(&self, path: &Path, bytes: Option<&[u8]>) {
        let hash = bytes.map(hash_of);
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), hash);
    }

    /// V8 is given this text under that URL.
    pub(crate) fn given(&self, url: &str, source: impl FnOnce() -> SourceText) {
        if let Some(sources) = &self.sources {
            sources.lock().unwrap_or_else(PoisonError::into_inner).insert(url.to_owned(), source());
        }
    }

    /// The text that V8 was given under that URL.
    pub(crate) fn source(&self, url: &str) -> Option<SourceText> {
        self.sources.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner).get(url).cloned()
    }
}

/// As [`Loaded::read`] has it. A pipe that took the place of a file is not opened: that might wait for ever.
fn hash_now(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    fs::read(path).ok().as_deref().map(hash_of)
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_differently_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (there, missing) = (folder.path().join("a.mjs"), folder.path().join("b.mjs"));
        fs::write(&there, "one").unwrap();
        let loaded = Loaded::new(false);
        loaded.read(&there, Some(b"one"));
        assert!(!loaded.has_changed());
        loaded.read(&missing, None);
        assert!(!loaded.has_changed());
        assert_eq!(loaded.paths(), [there.clone(), missing.clone()]);
        fs::write(&missing, "").unwrap();
        assert!(loaded.has_changed(), "what was missing is there");
        fs::remove_file(&missing).unwrap();
        fs::write(&there, "two").unwrap();
        assert!(loaded.has_changed());
        fs::remove_file(&there).unwrap();
        assert!(loaded.has_changed(), "it is gone");
    }
}
