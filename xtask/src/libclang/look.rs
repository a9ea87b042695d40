//! Where a libclang counts as found: where clang-sys 1.9 finds it, or fewer places. One that only this program found
//! would let the build fail; one that it misses is fetched, which does no harm.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where packages and installers put it. A `*` is the rest of a name, or all of it.
pub(crate) const USUAL: &[&str] = if cfg!(target_os = "macos") {
    &[
        "/Library/Developer/CommandLineTools/usr/lib",
        "/Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/lib",
        "/usr/local/opt/llvm*/lib",
    ]
} else if cfg!(windows) {
    &["C:/Program Files*/LLVM/bin", "C:/LLVM/bin", "C:/Users/*/scoop/apps/llvm/current/bin"]
} else {
    &[
        "/usr/local/llvm*/lib*",
        "/usr/local/lib*",
        "/usr/local/lib*/*",
        "/usr/local/lib*/*/*",
        "/usr/lib*",
        "/usr/lib*/*",
        "/usr/lib*/*/*",
    ]
};

/// Every folder in which clang-sys looks when `LIBCLANG_PATH` is not set, as far as they are known here.
pub(crate) fn folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(prefix) = answer(&llvm_config(), "--prefix") {
        folders.extend(["bin", "lib", "lib64"].map(|name| prefix.join(name)));
    }
    if cfg!(target_os = "macos")
        && let Some(developer) = answer(OsStr::new("xcode-select"), "--print-path")
    {
        folders.push(developer.join("Toolchains/XcodeDefault.xctoolchain/usr/lib"));
    }
    for variable in ["LD_LIBRARY_PATH", "LIBRARY_PATH"] {
        folders.extend(env::var_os(variable).iter().flat_map(env::split_paths));
    }
    folders.extend(USUAL.iter().flat_map(|pattern| expand(pattern)));
    folders
}

/// Every libclang in one of these folders.
pub(crate) fn libraries(folders: &[PathBuf]) -> Vec<PathBuf> {
    folders.iter().flat_map(|folder| entries(folder)).filter(|path| is_libclang_file(path)).collect()
}

/// The libclang that a value of `LIBCLANG_PATH` names: by itself, or by its folder.
pub(crate) fn named(value: &Path) -> Option<PathBuf> {
    if is_libclang_file(value) {
        return Some(value.to_owned());
    }
    libraries(&[value.to_owned()]).into_iter().next()
}

/// Whether one of these libraries has headers of its own, or bindgen can ask a `clang` for them.
pub(crate) fn have_headers(libraries: &[PathBuf]) -> bool {
    libraries.iter().any(|library| has_headers(library)) || has_clang()
}

/// Whether a file of this name is libclang, on the operating system `os`.
pub(crate) fn is_libclang(name: &str, os: &str) -> bool {
    match os {
        "macos" => name == "libclang.dylib",
        "windows" => ["libclang.dll", "clang.dll"].contains(&name),
        // There `libclang-cpp` is another library: the one for C++.
        "linux" if name.starts_with("libclang-") && !name.contains("-cpp.") => {
            name.ends_with(".so") || name.contains(".so.")
        }
        _ => name == "libclang.so" || name.starts_with("libclang.so."),
    }
}

fn is_libclang_file(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| is_libclang(name, env::consts::OS)) && path.is_file()
}

/// libclang looks for `lib/clang/<version>/include` beside the folder that it is in.
fn has_headers(library: &Path) -> bool {
    let itself = library.canonicalize().unwrap_or_else(|_| library.to_owned());
    [library, &itself]
        .into_iter()
        .filter_map(|path| path.parent()?.parent())
        .flat_map(|prefix| entries(&prefix.join("lib/clang")))
        .any(|version| version.join("include/stdarg.h").is_file())
}

fn has_clang() -> bool {
    let folders = answer(&llvm_config(), "--bindir").into_iter();
    let path = env::var_os("PATH").unwrap_or_default();
    folders.chain(env::split_paths(&path)).any(|folder| {
        entries(&folder).iter().any(|path| path.file_stem().and_then(OsStr::to_str).is_some_and(is_clang))
    })
}

/// `clang` or `clang-18`, and not `clang-format`.
fn is_clang(stem: &str) -> bool {
    stem == "clang" || stem.strip_prefix("clang-").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn llvm_config() -> OsString {
    env::var_os("LLVM_CONFIG_PATH").unwrap_or_else(|| "llvm-config".into())
}

/// The path that a command answers with.
fn answer(program: &OsStr, question: &str) -> Option<PathBuf> {
    let output = Command::new(program).arg(question).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()?.lines().next().filter(|line| !line.is_empty()).map(PathBuf::from)
}

/// The folders that fit a pattern, in the order of their names.
fn expand(pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for part in pattern.split_inclusive('/') {
        let name = part.trim_end_matches('/');
        found = match name.strip_suffix('*') {
            // With its slash: "C:" would be another folder than "C:/".
            None => found.into_iter().map(|folder| folder.join(part)).collect(),
            Some(start) => found.iter().flat_map(|folder| starting_with(folder, start)).collect(),
        };
    }
    found.retain(|folder| folder.is_dir());
    found
}

fn starting_with(folder: &Path, start: &str) -> Vec<PathBuf> {
    let fits = |path: &PathBuf| path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(start));
    entries(folder).into_iter().filter(fits).collect()
}

/// What is in a folder, by name; nothing if it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of libclang here.
    const NAME: &str = if cfg!(target_os = "macos") {
        "libclang.dylib"
    } else if cfg!(windows) {
        "libclang.dll"
    } else {
        "libclang.so"
    };

    fn put(root: &Path, file: &str) -> PathBuf {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        path
    }

    #[test]
    fn names_of_libclang() {
        for (os, name) in [
            ("linux", "libclang.so"),
            ("linux", "libclang.so.1"),
            ("linux", "libclang-14.so"),
            ("linux", "libclang-14.so.13"),
            ("freebsd", "libclang.so.7.0"),
            ("macos", "libclang.dylib"),
            ("windows", "libclang.dll"),
            ("windows", "clang.dll"),
        ] {
            assert!(is_libclang(name, os), "{name} on {os}");
        }
        for (os, name) in [
            ("linux", "libclang-cpp.so.14"),
            ("linux", "libclang-cpp.so"),
            ("linux", "libclang.a"),
            ("linux", "libclang-14.a"),
            ("linux", "libclang_sys-f9a6.so"),
            ("linux", "libclang.dylib"),
            ("macos", "libclang.so"),
            ("macos", "libclang-cpp.dylib"),
            ("windows", "libclang.lib"),
        ] {
            assert!(!is_libclang(name, os), "{name} on {os}");
        }
    }

    #[test]
    fn names_of_the_compiler() {
        for stem in ["clang", "clang-18", "clang-9"] {
            assert!(is_clang(stem), "{stem}");
        }
        for stem in ["clang++", "clang-format", "clang-format-18", "clangd", "gcc"] {
            assert!(!is_clang(stem), "{stem}");
        }
    }

    #[test]
    fn a_star_is_the_rest_of_a_name() {
        let root = tempfile::tempdir().unwrap();
        for file in ["lib/a/b/c/file", "lib64/d/file", "local/lib/e/file"] {
            put(root.path(), file);
        }
        let expanded = |pattern: &str| -> Vec<_> {
            let pattern = format!("{}/{pattern}", root.path().to_str().unwrap().replace('\\', "/"));
            let folders = expand(&pattern).into_iter();
            folders.map(|path| path.strip_prefix(root.path()).unwrap().to_str().unwrap().replace('\\', "/")).collect()
        };
        assert_eq!(expanded("lib*"), ["lib", "lib64"]);
        assert_eq!(expanded("lib*/*"), ["lib/a", "lib64/d"], "a file is no folder");
        assert_eq!(expanded("lib*/*/*"), ["lib/a/b"]);
        assert_eq!(expanded("lib/a/b"), ["lib/a/b"]);
        assert!(expanded("lib/absent").is_empty() && expanded("absent*/a").is_empty());
    }

    #[test]
    fn a_variable_names_the_file_or_its_folder() {
        let root = tempfile::tempdir().unwrap();
        let library = put(root.path(), &format!("lib/{NAME}"));
        put(root.path(), "other/file");
        assert_eq!(named(&library), Some(library.clone()));
        assert_eq!(named(&root.path().join("lib")), Some(library));
        for wrong in ["", "other", "other/file", "absent"] {
            assert_eq!(named(&root.path().join(wrong)), None, "{wrong}");
        }
        // A folder of that name is not the library.
        fs::create_dir_all(root.path().join("folder").join(NAME)).unwrap();
        assert_eq!(named(&root.path().join("folder")), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_is_not_found() {
        let root = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("absent", root.path().join(NAME)).unwrap();
        assert!(libraries(&[root.path().to_owned()]).is_empty());
    }

    #[test]
    fn headers_are_beside_the_library() {
        let root = tempfile::tempdir().unwrap();
        let library = put(root.path(), &format!("lib/{NAME}"));
        assert!(!has_headers(&library));
        fs::create_dir_all(root.path().join("lib/clang/18/include")).unwrap();
        assert!(!has_headers(&library), "a folder without the header");
        put(root.path(), "lib/clang/18/include/stdarg.h");
        assert!(has_headers(&library));
    }
}
