//! The libclang with which the build script of `libsqlite3-sys` makes its bindings. The cargo feature `node` brings
//! that crate along: Node's `node:sqlite` needs it.
//!
//! Where the build script finds none, a library from the Python package `libclang` is put into cargo's home, with the
//! two headers that it lacks from the C compiler. `.cargo/libclang.toml` then tells cargo ([`config`]); after that
//! plain `cargo build` works too. It names cargo's home and no folder of the checkout: everything above V8 is compiled
//! again when the variable changes, and several checkouts may share a target folder.

pub(crate) mod config;
mod fetch;
mod look;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use crate::libclang::config::Config;
use crate::workspace::{Workspace, cargo_home};

/// Makes sure that libclang is there, and says so only if that is news.
pub(crate) fn ensure(workspace: &Workspace) -> Result<()> {
    provide(workspace).map(drop)
}

/// Makes sure that libclang is there, and says where.
pub(crate) fn install(workspace: &Workspace) -> Result<()> {
    let (library, config) = provide(workspace)?;
    println!("libclang is in place: {}", library.display());
    if config != Config::default() {
        let file = config::file(&workspace.root);
        println!("\nA program that is built elsewhere needs this from {}, too:\n", workspace.show(&file));
        print!("{}", config.text()?);
    }
    Ok(())
}

/// What this program keeps in cargo's home.
struct Store(PathBuf);

impl Store {
    fn lib(&self) -> PathBuf {
        self.0.join("lib")
    }

    fn include(&self) -> PathBuf {
        self.0.join("include")
    }

    fn library(&self) -> Option<PathBuf> {
        look::named(&self.lib())
    }

    fn has_headers(&self) -> bool {
        self.include().join("stdarg.h").is_file()
    }
}

fn provide(workspace: &Workspace) -> Result<(PathBuf, Config)> {
    if let Some(value) = workspace.user_var(config::LIBRARY) {
        return Ok((the_users(&PathBuf::from(value))?, Config::default()));
    }
    let store = Store(cargo_home()?.join(".libclang"));
    let kept = store.library();
    // Not looked for beside a kept one: with another library, everything above V8 would be compiled again.
    let installed = if kept.is_none() { look::libraries(&look::folders()) } else { Vec::new() };
    let mut config = Config::default();
    let library = match installed.first() {
        Some(library) => library.clone(),
        None => {
            config.library = Some(store.lib());
            kept.map_or_else(|| fetch(&store), Ok)?
        }
    };
    if !store.has_headers() && !look::have_headers(&installed) {
        take_headers(&store, !installed.is_empty())?;
    }
    if store.has_headers() {
        config.headers = Some(store.include());
    }
    if config.put(&workspace.root)? && config != Config::default() {
        let file = config::file(&workspace.root);
        eprintln!("libclang is {}; {} tells cargo", library.display(), workspace.show(&file));
    }
    Ok((library, config))
}

/// The library that the user's own `LIBCLANG_PATH` names.
fn the_users(value: &Path) -> Result<PathBuf> {
    look::named(value).with_context(|| {
        let (name, value) = (config::LIBRARY, value.display());
        format!("{name} is {value}, and there is no libclang. No other place is looked at while it is set")
    })
}

fn fetch(store: &Store) -> Result<PathBuf> {
    fetch::library(&store.lib())
        .and_then(|()| store.library().context("what was fetched is gone"))
        .map_err(|error| anyhow!(missing(store, &format!("{error:#}"))))
}

/// `optional` if there may be headers where nobody has looked. Windows always has some: they come with the linker.
fn take_headers(store: &Store, optional: bool) -> Result<()> {
    match fetch::headers(&store.include()) {
        Err(_) if optional || cfg!(windows) => Ok(()),
        taken => taken.context("libclang is there, but not the header stdarg.h, which comes with a C compiler"),
    }
}

/// The one message for a machine on which there is no libclang to be had, and `why` it could not be fetched.
fn missing(store: &Store, why: &str) -> String {
    format!(
        "libclang is not on this machine and could not be fetched. The feature `node` needs it to build. Tried:\n  \
         {variable}: not set\n  \
         where `llvm-config --prefix` points: not there\n  \
         {usual}: not there\n  \
         {kept}: not there\n  \
         {why}\n\n\
         Either install it: libclang-dev on Debian and Ubuntu, clang-devel on Fedora, the Xcode command line tools on\n\
         macOS (`xcode-select --install`), LLVM on Windows.\n\
         Or see to it that `python3 -m pip download libclang` works, and start this again.\n\
         Or let {variable} name a folder that holds a libclang.",
        variable = config::LIBRARY,
        usual = look::USUAL.join(", "),
        kept = store.lib().display(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_what_was_tried_and_what_to_do() {
        let message = missing(&Store(PathBuf::from("/home/me/.cargo/.libclang")), "`python3 -m pip`: not found");
        for part in [
            "`node`",
            "LIBCLANG_PATH: not set",
            "llvm-config",
            look::USUAL[0],
            "/home/me/.cargo/.libclang",
            "`python3 -m pip`: not found",
            "libclang-dev",
            "xcode-select --install",
            "LLVM on Windows",
            "python3 -m pip download libclang",
        ] {
            assert!(message.contains(part), "{part} is missing from:\n{message}");
        }
    }

    #[test]
    fn a_variable_that_names_no_libclang_is_an_error() {
        let empty = tempfile::tempdir().unwrap();
        let error = the_users(empty.path()).unwrap_err().to_string();
        assert!(error.contains(config::LIBRARY) && error.contains(empty.path().to_str().unwrap()), "{error}");
    }
}
