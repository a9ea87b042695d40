//! Fetching libclang with pip, and taking a compiler's headers.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, anyhow, bail};

use crate::libclang::look;
use crate::run::shown;

/// The folder of the wheel, in the folder that is worked in.
const WHEELS: &str = "wheels";

/// Downloads libclang and leaves it in the folder `to`, which holds either all of it afterwards or what it held before.
pub(crate) fn library(to: &Path) -> Result<()> {
    let python = python()?;
    let work = tempfile::tempdir().context("no temporary folder")?;
    eprintln!("libclang is not on this machine; pip fetches it (about 25 MB)");
    download(python, work.path())?;
    let wheel = only_file(&work.path().join(WHEELS))?;
    let unpacked = work.path().join("unpacked");
    succeed(Command::new(python).args(["-m", "zipfile", "-e"]).args([&wheel, &unpacked]))?;
    let files = files(&unpacked).with_context(|| format!("cannot read {}", unpacked.display()))?;
    let library = choose(&files, std::env::consts::OS)
        .with_context(|| format!("no libclang in {}", wheel.file_name().unwrap_or_default().display()))?;
    put(&[library], to)
}

/// Lets pip leave its wheel in a folder in `work`. What hinders pip, it says itself and while it tries again.
fn download(python: &str, work: &Path) -> Result<()> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", WHEELS, "libclang"]);
    pip.current_dir(work).envs([("PIP_NO_INPUT", "1"), ("PIP_DISABLE_PIP_VERSION_CHECK", "1")]);
    let status = pip.stdin(Stdio::null()).stdout(Stdio::null()).status();
    match status.with_context(|| format!("`{}`", shown(&pip)))? {
        status if status.success() => Ok(()),
        status => bail!("`{}`: {status}, for the reason above", shown(&pip)),
    }
}

/// Copies the headers that libclang lacks from the C compiler into the folder `to`, which holds either all of them
/// afterwards or what it held before.
pub(crate) fn headers(to: &Path) -> Result<()> {
    // GCC and clang both answer with the folder of the headers that come with the compiler.
    let output = succeed(Command::new("cc").arg("-print-file-name=include"))?;
    let folder = PathBuf::from(String::from_utf8(output.stdout)?.trim_end());
    let headers: Vec<_> = entries(&folder)
        .with_context(|| format!("cannot read {}, where cc has its headers", folder.display()))?
        .into_iter()
        .filter(|path| path.file_name().and_then(OsStr::to_str).is_some_and(is_needed))
        .collect();
    if !headers.iter().any(|path| path.ends_with("stdarg.h")) {
        bail!("{}, where cc has its headers, has no stdarg.h", folder.display());
    }
    put(&headers, to)
}

/// The library in a list of a wheel's files.
fn choose<'f>(files: &'f [PathBuf], os: &str) -> Option<&'f PathBuf> {
    files.iter().find(|path| path.file_name().and_then(OsStr::to_str).is_some_and(|name| look::is_libclang(name, os)))
}

/// Whether sqlite3.h needs this header. The newer ones of clang are in pieces, whose names begin with underscores.
fn is_needed(header: &str) -> bool {
    let name = header.strip_prefix("__").unwrap_or(header);
    ["stdarg", "stddef"].into_iter().any(|start| name.starts_with(start)) && name.ends_with(".h")
}

/// A Python with pip.
fn python() -> Result<&'static str> {
    let mut reasons = Vec::new();
    for name in ["python3", "python"] {
        match succeed(Command::new(name).args(["-m", "pip", "--version"])) {
            Ok(_) => return Ok(name),
            Err(error) => reasons.push(error.to_string()),
        }
    }
    Err(anyhow!(reasons.join("; ")))
}

/// Runs a command that says nothing unless it fails.
fn succeed(command: &mut Command) -> Result<Output> {
    let output = command.output().map_err(|error| anyhow!("`{}`: {error}", shown(command)))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    bail!("`{}`: {}", shown(command), reason(&said).unwrap_or(&output.status.to_string()))
}

/// What a program says last before it gives up.
fn reason(said: &str) -> Option<&str> {
    said.lines().map(str::trim).rfind(|line| !line.is_empty())
}

/// Makes `to` a folder with copies of `files`.
fn put(files: &[impl AsRef<Path>], to: &Path) -> Result<()> {
    replace(files, to).with_context(|| format!("cannot write {}", to.display()))
}

fn replace(files: &[impl AsRef<Path>], to: &Path) -> io::Result<()> {
    let beside = to.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(beside)?;
    let unfinished = tempfile::Builder::new().prefix("unfinished-").tempdir_in(beside)?;
    // One level below, since a temporary folder is its owner's alone and cargo's home may be shared.
    let ready = unfinished.path().join("ready");
    fs::create_dir(&ready)?;
    for file in files.iter().map(AsRef::as_ref) {
        let copy = ready.join(file.file_name().ok_or(io::ErrorKind::InvalidInput)?);
        fs::copy(file, &copy)?;
        File::options().write(true).open(&copy)?.sync_all()?;
    }
    if to.exists() {
        fs::rename(to, unfinished.path().join("old"))?;
    }
    fs::rename(&ready, to)
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    match entries(folder) {
        Ok(mut files) if files.len() == 1 => Ok(files.remove(0)),
        Ok(files) => bail!("pip has left {} files, not one", files.len()),
        Err(error) => Err(anyhow!(error).context(format!("cannot read {}", folder.display()))),
    }
}

/// Every file in a folder and in those below.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        match path.is_dir() {
            true => found.extend(files(&path)?),
            false => found.push(path),
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_in_a_wheel() {
        for (os, name) in [("linux", "libclang.so"), ("macos", "libclang.dylib"), ("windows", "libclang.dll")] {
            let files: Vec<PathBuf> = [
                "libclang-18.1.1.data/platlib/clang/__init__.py".to_owned(),
                "libclang-18.1.1.data/platlib/clang/cindex.py".to_owned(),
                format!("libclang-18.1.1.data/platlib/clang/native/{name}"),
                "libclang-18.1.1.dist-info/RECORD".to_owned(),
            ]
            .map(PathBuf::from)
            .into();
            assert_eq!(choose(&files, os), Some(&files[2]), "{os}");
            let other = if os == "linux" { "macos" } else { "linux" };
            assert_eq!(choose(&files, other), None, "the wheel of {os} on {other}");
        }
    }

    #[test]
    fn the_headers_that_are_taken() {
        for name in ["stdarg.h", "stddef.h", "__stdarg_va_list.h", "__stddef_size_t.h"] {
            assert!(is_needed(name), "{name}");
        }
        for name in ["stdint.h", "immintrin.h", "cross-stdarg.h", "stdarg", "__clang_cuda_math.h"] {
            assert!(!is_needed(name), "{name}");
        }
    }

    #[test]
    fn the_reason_is_what_was_said_last() {
        let said = "WARNING: retrying\nERROR: No matching distribution found for libclang\n\n";
        assert_eq!(reason(said), Some("ERROR: No matching distribution found for libclang"));
        assert_eq!(reason("\n"), None);
    }

    #[test]
    fn a_command_that_is_not_there_is_named() {
        let error = succeed(Command::new("no-such-program").arg("-m")).unwrap_err();
        assert!(error.to_string().starts_with("`no-such-program -m`: "), "{error}");
    }

    /// Puts the files of these names in `root` into the folder `home/lib`.
    fn put_in(root: &Path, names: &[&str]) -> Result<()> {
        let files: Vec<_> = names.iter().map(|name| root.join(name)).collect();
        let to = root.join("home/lib");
        put(&files, &to)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = entries(folder).unwrap().into_iter();
        entries.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_folder_replaces_what_was_there_and_leaves_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        for name in ["one", "two"] {
            fs::write(root.path().join(name), name).unwrap();
        }
        put_in(root.path(), &["one", "two"]).unwrap();
        assert_eq!(names(&root.path().join("home/lib")), ["one", "two"]);
        put_in(root.path(), &["two"]).unwrap();
        assert_eq!(names(&root.path().join("home/lib")), ["two"]);
        assert_eq!(names(&root.path().join("home")), ["lib"]);
    }

    #[test]
    fn a_folder_that_cannot_be_filled_changes_nothing() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("one"), "one").unwrap();
        assert!(put_in(root.path(), &["one", "absent"]).is_err());
        assert!(names(&root.path().join("home")).is_empty());
        put_in(root.path(), &["one"]).unwrap();
        assert!(put_in(root.path(), &["absent"]).is_err());
        assert_eq!(names(&root.path().join("home/lib")), ["one"]);
    }
}
