//! Putting files where cargo finds them, whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Copies `from` to `to`, which holds either all of it afterwards or what it held before.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    atomically(to, |unfinished| io::copy(&mut File::open(from)?, unfinished).map(drop))
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

/// Writes `text` to `to`, which holds either all of it afterwards or what it held before.
pub(crate) fn write(text: &str, to: &Path) -> Result<()> {
    atomically(to, |unfinished| unfinished.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", to.display()))
}

fn atomically(to: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let folder = to.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let mut unfinished = readable_by_all(folder)?;
    fill(unfinished.as_file_mut())?;
    unfinished.as_file().sync_all()?;
    unfinished.persist(to)?;
    Ok(())
}

/// A temporary file is its owner's alone; cargo's home may be shared.
fn readable_by_all(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    builder.tempfile_in(folder)
}

/// Removes a file that may not be there.
pub(crate) fn remove_if_present(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", file.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_replaces_what_was_there_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("from");
        let to = folder.path().join("cache/to");
        fs::write(&from, "one").unwrap();
        copy(&from, &to).unwrap();
        fs::write(&from, "two").unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "two");
        assert_eq!(fs::read_dir(to.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_copy_that_fails_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("to");
        fs::write(&to, "old").unwrap();
        assert!(copy(&folder.path().join("absent"), &to).is_err());
        assert_eq!(fs::read_to_string(&to).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_text_replaces_what_was_there_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("new/to");
        write("one", &to).unwrap();
        write("two", &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "two");
        assert_eq!(fs::read_dir(to.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn removing_twice_is_fine() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        remove_if_present(&file).unwrap();
        remove_if_present(&file).unwrap();
        assert!(!file.exists());
    }
}
