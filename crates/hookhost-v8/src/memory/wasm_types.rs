//! Counts the types of WebAssembly modules. V8 keeps them in one table of the process, for good, and gives up when that is
//! full: under a lock that every isolate needs to start.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// What all modules of one hook may have of them, in bytes of their type sections: a type has at least three, a module of
/// the usual size some thousand, and V8's table takes a million types.
const TYPE_BYTES: usize = 128 << 10;

/// What one hook has used, in all its isolates: its types stay when an isolate goes.
#[derive(Default)]
struct Used {
    bytes: usize,
    sections: HashSet<u64>,
}

static USED: LazyLock<Mutex<HashMap<PathBuf, Used>>> = LazyLock::new(Mutex::default);

/// Counts a module's type section for the hook in `folder`. False if that is too much. The same section costs nothing
/// again: V8 knows its types already.
pub(crate) fn admit_types(folder: &Path, section: &[u8]) -> bool {
    let mut hasher = DefaultHasher::new();
    section.hash(&mut hasher);
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let used = used.entry(folder.to_owned()).or_default();
    if used.sections.contains(&hasher.finish()) {
        return true;
    }
    if used.bytes + section.len() > TYPE_BYTES {
        return false;
    }
    used.bytes += section.len();
    used.sections.insert(hasher.finish());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hook_has_its_own_limit_and_pays_once() {
        let section = |fill: u8| vec![fill; TYPE_BYTES / 2];
        let (one, other) = (Path::new("/wasm/types/one"), Path::new("/wasm/types/other"));
        assert!(admit_types(one, &section(1)));
        assert!(admit_types(one, &section(1)));
        assert!(admit_types(one, &section(2)));
        assert!(!admit_types(one, &section(3)));
        assert!(admit_types(one, &section(2)), "known already");
        assert!(admit_types(other, &section(3)));
    }
}
