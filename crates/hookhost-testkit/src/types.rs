//! What editors know of hooks and of the files beside them: types and schemas, as files of a project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Each file, as seen from the project's folder.
const FILES: [(&str, &str); 5] = [
    ("hookhost.d.ts", include_str!("../../../hookhost.d.ts")),
    ("schemas/hook.schema.json", include_str!("../../../schemas/hook.schema.json")),
    ("schemas/fixture.schema.json", include_str!("../../../schemas/fixture.schema.json")),
    ("schemas/amodal.schema.json", include_str!("../../../schemas/amodal.schema.json")),
    ("schemas/policy.schema.json", include_str!("../../../schemas/policy.schema.json")),
];

/// Writes `hookhost.d.ts` and the schemas into a project's folder, in place of older ones. Returns those that are new or have
/// changed.
///
/// # Errors
/// A file cannot be written: which one, and why.
pub fn write_types(project: &Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    write(project, |path, text| fs::read_to_string(path).is_ok_and(|present| present == text))
}

/// The same, of files that are not there at all.
pub(crate) fn write_missing(project: &Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    write(project, |path, _| path.exists())
}

fn write(project: &Path, is_fine: impl Fn(&Path, &str) -> bool) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let mut written = Vec::new();
    for (name, text) in FILES {
        let path = project.join(name);
        if is_fine(&path, text) {
            continue;
        }
        let folder = path.parent().unwrap_or(project);
        let made = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
        made.map_err(|error| (path.clone(), error))?;
        written.push(path);
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_written() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(write_types(folder.path()).unwrap().len(), FILES.len());
        assert_eq!(write_types(folder.path()).unwrap(), [] as [PathBuf; 0]);
        let old = folder.path().join("hookhost.d.ts");
        fs::write(&old, "old").unwrap();
        assert_eq!(write_missing(folder.path()).unwrap(), [] as [PathBuf; 0]);
        assert_eq!(write_types(folder.path()).unwrap(), [old]);
    }
}
