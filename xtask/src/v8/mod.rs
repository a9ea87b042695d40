//! The prebuilt V8 that the `v8` crate links.
//!
//! The crate's build script downloads it, unless it finds a copy in cargo's home. Where the download is out of reach,
//! an archive from a folder on this machine is checked and copied to that place ([`ensure`]); after that plain `cargo
//! build` works too. An environment variable could point the build script at the archive directly, but it would
//! rebuild everything above V8 whenever a shell is without it.

mod archive;
mod checksum;
mod choose;
mod reach;

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::place;
use crate::v8::archive::Archive;
use crate::v8::choose::{Choice, Kind, Place, State, Surroundings};
use crate::workspace::{Workspace, cargo_home};

/// Names a folder with an archive of V8.
const FOLDER_VARIABLE: &str = "HOOKHOST_V8_DIR";

/// Makes sure that cargo will find V8, and says so only if that is news.
pub(crate) fn ensure(workspace: &Workspace) -> Result<()> {
    provide(workspace).map(drop)
}

/// Makes sure that cargo will find V8, and says where.
pub(crate) fn install(workspace: &Workspace) -> Result<()> {
    if let Choice::Present(path) = provide(workspace)? {
        println!("V8 {} is in place: {}", archive::VERSION, path.display());
    }
    Ok(())
}

/// Says what is present and what would be done.
pub(crate) fn status(workspace: &Workspace) -> Result<()> {
    let surroundings = surroundings(workspace)?;
    let mut lines = vec![surroundings.archive.to_string(), format!("  {}: the download", surroundings.archive.url())];
    if env::var_os(FOLDER_VARIABLE).is_none() {
        lines.push(format!("  ${FOLDER_VARIABLE}: not set"));
    }
    lines.extend(surroundings.places().map(|place| format!("  {}", describe(&place))));
    let (choice, passed_over) = surroundings.choose(reach::reach);
    lines.extend(match &choice {
        Choice::Overridden(variable) => Some(format!("{variable} is set: the build script does what it says")),
        Choice::Present(path) => Some(format!("cargo links {}", path.display())),
        Choice::Install(from) => Some(format!(
            "`cargo xtask v8 install` puts {} into cargo's cache; so do demo, test and check",
            from.display()
        )),
        Choice::Download => Some("cargo will download it (about 30 MB)".to_owned()),
        Choice::Missing => None,
    });
    // A reader that has seen enough (`| head`) is no failure.
    let _ = writeln!(io::stdout(), "{}", lines.join("\n"));
    match choice {
        Choice::Missing => bail!(missing(&surroundings, &passed_over)),
        _ => Ok(()),
    }
}

fn provide(workspace: &Workspace) -> Result<Choice> {
    let surroundings = surroundings(workspace)?;
    let (choice, passed_over) = surroundings.choose(reach::reach);
    let broken = |place: &&Place| matches!(place.state, State::Unusable(_)) && place.kind != Kind::Built;
    if choice != Choice::Missing {
        for place in passed_over.iter().filter(broken) {
            eprintln!("not used: {}", describe(place));
        }
    }
    match &choice {
        Choice::Overridden(variable) => {
            eprintln!("{variable} is set, so V8 is left to the build script of the v8 crate");
        }
        Choice::Present(_) => {}
        Choice::Install(from) => {
            let cached = surroundings.cached();
            place::copy(from, &cached)?;
            eprintln!("installed V8 {} from {} as {}", archive::VERSION, workspace.show(from), cached.display());
        }
        Choice::Download => {
            // The build script would take a broken copy for the real thing.
            place::remove_if_present(&surroundings.cached())?;
            eprintln!("cargo will download V8 (about 30 MB) from {}", surroundings.archive.url());
        }
        Choice::Missing => bail!(missing(&surroundings, &passed_over)),
    }
    Ok(choice)
}

fn surroundings(workspace: &Workspace) -> Result<Surroundings> {
    let var = |name: &str| env::var(name).ok();
    let named = env::var_os(FOLDER_VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(|folder| std::path::absolute(folder).with_context(|| format!("{FOLDER_VARIABLE} is not a path")))
        .transpose()?;
    let beside = workspace.root.parent().map(|parent| parent.join("shared/v8"));
    Ok(Surroundings {
        archive: Archive::new(&host()?, var),
        overridden_by: Surroundings::overriding(var),
        cargo_home: cargo_home()?,
        folders: named.into_iter().chain([workspace.root.join(".v8")]).chain(beside).collect(),
        build_directory: workspace.build_directory()?,
    })
}

/// The target that cargo builds for when nobody says otherwise.
fn host() -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().context("cannot start rustc")?;
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("`rustc -vV` names no host")
}

fn describe(place: &Place) -> String {
    let path = place.path.display();
    match (&place.state, place.kind) {
        (State::Usable, Kind::Folder) => format!("{path}: fits the sum beside it"),
        (State::Usable, _) => format!("{path}: there"),
        (State::Absent, _) => format!("{path}: not there"),
        (State::Unusable(reason), _) => format!("{path}: {reason}"),
    }
}

/// The one message for a machine on which there is no V8 to be had.
fn missing(surroundings: &Surroundings, passed_over: &[Place]) -> String {
    let tried: Vec<_> = passed_over.iter().map(|place| format!("  {}\n", describe(place))).collect();
    let name = surroundings.archive.local_name();
    let sum = checksum::sum_file(Path::new(&name));
    format!(
        "{archive} is not on this machine and cannot be downloaded from here. Tried:\n{tried}\n\
         Either fetch {url}\n\
         on another machine and put it here as .v8/{name},\n\
         with its SHA-256 sum, as sha256sum prints it, in {sum}.\n\
         ${FOLDER_VARIABLE} may name another folder than .v8/.\n\n\
         Or build it from source, which the v8 crate carries: `xtask/build-v8.sh .v8` (x86-64 Linux; needs clang 22,\n\
         lld 22, ninja and python3 with pip, which brings GN; about an hour on two cores; 3 GiB of disk). It leaves\n\
         the archive and its sum in .v8/.",
        archive = surroundings.archive,
        tried = tried.concat(),
        url = surroundings.archive.url(),
        sum = sum.display(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_what_was_tried_and_what_to_do() {
        let nowhere = tempfile::tempdir().unwrap();
        let at = |name: &str| nowhere.path().join(name);
        let surroundings = Surroundings {
            archive: Archive::new("x86_64-unknown-linux-gnu", |_| None),
            overridden_by: None,
            cargo_home: at("cargo"),
            folders: vec![at(".v8"), at("shared/v8")],
            build_directory: at("target"),
        };
        let (choice, passed_over) = surroundings.choose(|_| Err("github.com:443: connection refused".to_owned()));
        assert_eq!(choice, Choice::Missing);
        let message = missing(&surroundings, &passed_over);
        for part in [
            "V8 150.4.0 (x86_64-unknown-linux-gnu, release)",
            ".rusty_v8",
            "shared/v8",
            "github.com:443: connection refused",
            "https://github.com/denoland/rusty_v8/releases/download/v150.4.0/",
            "HOOKHOST_V8_DIR",
            "xtask/build-v8.sh .v8",
        ] {
            assert!(message.contains(part), "{part} is missing from:\n{message}");
        }
    }
}
