//! Which V8 cargo will link, and where it comes from. Looks, and changes nothing.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::v8::archive::{Archive, is_true};
use crate::v8::checksum;

/// Everything that the choice depends on.
pub(crate) struct Surroundings {
    pub(crate) archive: Archive,
    /// An environment variable that tells the build script something else.
    pub(crate) overridden_by: Option<&'static str>,
    /// Cargo's home, which holds the build script's cache.
    pub(crate) cargo_home: PathBuf,
    /// Folders that may hold an archive, in the order in which they are tried.
    pub(crate) folders: Vec<PathBuf>,
    /// Where cargo keeps what build scripts leave behind.
    pub(crate) build_directory: PathBuf,
}

/// What is to be done so that cargo links V8.
#[derive(Debug, PartialEq)]
pub(crate) enum Choice {
    /// Nothing: this environment variable decides.
    Overridden(&'static str),
    /// Nothing: the build script finds this.
    Present(PathBuf),
    /// This archive goes into the cache.
    Install(PathBuf),
    /// Nothing: the build script will download it.
    Download,
    /// There is no V8 to be had.
    Missing,
}

/// A place that was looked at.
#[derive(Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) kind: Kind,
    pub(crate) path: PathBuf,
    pub(crate) state: State,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Where the build script looks before it downloads.
    Cache,
    /// An archive that can be copied there.
    Folder,
    /// What an earlier build downloaded and unpacked.
    Built,
    /// A folder that `RUSTY_V8_MIRROR` names.
    Mirror,
    /// The network.
    Network,
}

#[derive(Debug, PartialEq)]
pub(crate) enum State {
    Usable,
    Absent,
    /// Something is there that must not be used, for this reason.
    Unusable(String),
}

impl Surroundings {
    /// The environment variable, if any, that takes the choice away from this program.
    pub(crate) fn overriding(var: impl Fn(&str) -> Option<String>) -> Option<&'static str> {
        if var("RUSTY_V8_ARCHIVE").is_some() {
            Some("RUSTY_V8_ARCHIVE")
        } else if var("V8_FROM_SOURCE").is_some_and(|value| is_true(&value)) {
            Some("V8_FROM_SOURCE")
        } else {
            None
        }
    }

    /// The file in which the build script looks before it downloads.
    pub(crate) fn cached(&self) -> PathBuf {
        self.cargo_home.join(".rusty_v8").join(self.archive.cache_name())
    }

    /// Every place on this machine, the preferred one first. Each is examined when it is reached, not before: a sum
    /// takes a second.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> {
        let remote = self.archive.is_remote();
        let mirror = (!remote).then(|| (Kind::Mirror, PathBuf::from(self.archive.url())));
        let others = std::iter::once((Kind::Cache, self.cached()))
            .chain(self.folders.iter().map(|folder| (Kind::Folder, folder.join(self.archive.local_name()))))
            .chain(std::iter::once((Kind::Built, self.built())))
            // From a folder the build script copies without a look at its cache.
            .filter(move |_| remote);
        mirror.into_iter().chain(others).map(|(kind, path)| Place { kind, state: self.examine(kind, &path), path })
    }

    /// The first usable place decides. `reach` says whether an address can be reached, or why not; it is asked last.
    ///
    /// Also returns the places that were passed over on the way.
    pub(crate) fn choose(&self, reach: impl Fn(&str) -> Result<(), String>) -> (Choice, Vec<Place>) {
        if let Some(variable) = self.overridden_by {
            return (Choice::Overridden(variable), Vec::new());
        }
        let mut passed_over = Vec::new();
        for place in self.places() {
            match (&place.state, place.kind) {
                (State::Usable, Kind::Folder) => return (Choice::Install(place.path), passed_over),
                (State::Usable, _) => return (Choice::Present(place.path), passed_over),
                _ => passed_over.push(place),
            }
        }
        if !self.archive.is_remote() {
            return (Choice::Missing, passed_over);
        }
        let url = self.archive.url();
        match reach(&url) {
            Ok(()) => (Choice::Download, passed_over),
            Err(reason) => {
                passed_over.push(Place { kind: Kind::Network, path: url.into(), state: State::Unusable(reason) });
                (Choice::Missing, passed_over)
            }
        }
    }

    fn examine(&self, kind: Kind, path: &Path) -> State {
        if !path.exists() {
            return State::Absent;
        }
        let verdict = match kind {
            Kind::Folder => checksum::verify(path),
            Kind::Built => self.is_from_url(path),
            Kind::Cache | Kind::Mirror | Kind::Network => is_archive(path),
        };
        match verdict {
            Ok(()) => State::Usable,
            Err(reason) => State::Unusable(reason),
        }
    }

    /// The library that the build script unpacked, if it has downloaded one.
    fn built(&self) -> PathBuf {
        self.build_directory
            .join("debug/gn_out/obj")
            .join(self.archive.library_stem())
            .with_extension(self.archive.library_extension())
    }

    /// The build script notes beside the library which address it was downloaded from, and downloads it again when
    /// that is another one.
    fn is_from_url(&self, library: &Path) -> Result<(), String> {
        match fs::read_to_string(library.with_extension("sum")) {
            Ok(url) if url == self.archive.url() => Ok(()),
            Ok(url) => Err(format!("was downloaded from {url}")),
            Err(_) => Err("was not downloaded, so it is not taken again".to_owned()),
        }
    }
}

/// A cheap look at a file that was put in place by someone else: enough to notice a copy that broke off at once.
fn is_archive(path: &Path) -> Result<(), String> {
    const GZIP: &[u8] = &[0x1f, 0x8b];
    // The build script accepts a library that is not packed, too.
    const LIBRARY: &[u8] = b"!<arch>\n";

    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LIBRARY.len() as u64).read_to_end(&mut start))
        .map_err(|error: io::Error| format!("cannot be read ({error})"))?;
    if start.is_empty() {
        Err("is empty".to_owned())
    } else if start.starts_with(GZIP) || start == LIBRARY {
        Ok(())
    } else {
        Err("is neither packed with gzip nor a static library".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packed with gzip, as far as anyone looks.
    const PACKED: &[u8] = b"\x1f\x8b and so on";
    const PACKED_SUM: &str = "f092176196de8e89540034336cfb5bde1b0779a40292abbdea345965def9ccbd";

    /// A machine with nothing on it: folders `one` and `two` are searched.
    struct Machine {
        files: tempfile::TempDir,
        surroundings: Surroundings,
    }

    impl Machine {
        fn new() -> Self {
            Self::with_vars(|_| None)
        }

        fn with_vars(var: impl Fn(&str) -> Option<String>) -> Self {
            let files = tempfile::tempdir().unwrap();
            let at = |name: &str| files.path().join(name);
            let surroundings = Surroundings {
                archive: Archive::new("x86_64-unknown-linux-gnu", &var),
                overridden_by: Surroundings::overriding(&var),
                cargo_home: at("cargo"),
                folders: vec![at("one"), at("two")],
                build_directory: at("target"),
            };
            Self { files, surroundings }
        }

        fn put(&self, path: &Path, content: &[u8]) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }

        fn cache(&self, content: &[u8]) -> PathBuf {
            let path = self.surroundings.cached();
            self.put(&path, content);
            path
        }

        fn folder(&self, name: &str, sum: Option<&str>) -> PathBuf {
            let path = self.files.path().join(name).join(self.surroundings.archive.local_name());
            self.put(&path, PACKED);
            if let Some(sum) = sum {
                self.put(&checksum::sum_file(&path), sum.as_bytes());
            }
            path
        }

        fn built(&self, url: &str) -> PathBuf {
            let path = self.surroundings.built();
            self.put(&path, b"!<arch>\n");
            self.put(&path.with_extension("sum"), url.as_bytes());
            path
        }

        fn online(&self) -> Choice {
            self.surroundings.choose(|_| Ok(())).0
        }

        fn offline(&self) -> (Choice, Vec<Place>) {
            self.surroundings.choose(|_| Err("no connection".to_owned()))
        }
    }

    fn reasons(places: &[Place]) -> Vec<&str> {
        places
            .iter()
            .filter_map(|place| match &place.state {
                State::Unusable(reason) => Some(reason.as_str()),
                State::Usable | State::Absent => None,
            })
            .collect()
    }

    #[test]
    fn the_sum_used_here_is_right() {
        let machine = Machine::new();
        assert_eq!(checksum::verify(&machine.folder("one", Some(PACKED_SUM))), Ok(()));
    }

    #[test]
    fn the_cache_comes_first() {
        let machine = Machine::new();
        machine.folder("one", Some(PACKED_SUM));
        let cached = machine.cache(PACKED);
        assert_eq!(machine.offline(), (Choice::Present(cached), vec![]));
    }

    #[test]
    fn the_first_folder_comes_before_the_second() {
        let machine = Machine::new();
        let two = machine.folder("two", Some(PACKED_SUM));
        assert_eq!(machine.online(), Choice::Install(two));
        let one = machine.folder("one", Some(PACKED_SUM));
        assert_eq!(machine.online(), Choice::Install(one));
    }

    #[test]
    fn a_folder_comes_before_an_earlier_download_and_that_before_the_network() {
        let machine = Machine::new();
        let built = machine.built(&machine.surroundings.archive.url());
        assert_eq!(machine.online(), Choice::Present(built));
        let one = machine.folder("one", Some(PACKED_SUM));
        assert_eq!(machine.online(), Choice::Install(one));
    }

    #[test]
    fn a_library_from_another_address_does_not_count() {
        let machine = Machine::new();
        machine.built("https://example.com/v149.0.0/librusty_v8.a.gz");
        assert_eq!(machine.online(), Choice::Download);
    }

    #[test]
    fn a_broken_cache_is_replaced() {
        for (content, reason) in
            [(&b""[..], "is empty"), (b"<html>", "is neither packed with gzip nor a static library")]
        {
            let machine = Machine::new();
            machine.cache(content);
            let one = machine.folder("one", Some(PACKED_SUM));
            let (choice, passed_over) = machine.offline();
            assert_eq!(choice, Choice::Install(one));
            assert_eq!(reasons(&passed_over), [reason]);
        }
    }

    #[test]
    fn an_unpacked_library_in_the_cache_is_fine() {
        let machine = Machine::new();
        let cached = machine.cache(b"!<arch>\nand so on");
        assert_eq!(machine.online(), Choice::Present(cached));
    }

    #[test]
    fn an_archive_that_fails_its_check_is_passed_over() {
        let machine = Machine::new();
        machine.folder("one", Some(&"0".repeat(64)));
        let two = machine.folder("two", Some(PACKED_SUM));
        let (choice, passed_over) = machine.offline();
        assert_eq!(choice, Choice::Install(two));
        let [reason] = reasons(&passed_over)[..] else {
            panic!("{passed_over:?}");
        };
        assert!(reason.contains(PACKED_SUM) && reason.contains(&"0".repeat(64)), "{reason}");
    }

    #[test]
    fn nothing_anywhere_names_every_place() {
        let machine = Machine::new();
        machine.folder("two", None);
        assert_eq!(machine.online(), Choice::Download);
        let (choice, passed_over) = machine.offline();
        assert_eq!(choice, Choice::Missing);
        let kinds: Vec<_> = passed_over.iter().map(|place| place.kind).collect();
        assert_eq!(kinds, [Kind::Cache, Kind::Folder, Kind::Folder, Kind::Built, Kind::Network]);
        assert!(reasons(&passed_over)[0].ends_with("beside it to check it against"));
        assert_eq!(reasons(&passed_over)[1], "no connection");
    }

    #[test]
    fn an_environment_variable_can_take_the_choice_away() {
        for name in ["RUSTY_V8_ARCHIVE", "V8_FROM_SOURCE"] {
            let machine = Machine::with_vars(|asked| (asked == name).then(|| "1".to_owned()));
            machine.cache(b"");
            machine.folder("one", Some(PACKED_SUM));
            assert_eq!(machine.offline(), (Choice::Overridden(name), vec![]));
        }
        assert_eq!(Surroundings::overriding(|_| None), None);
        // The build script reads this one as a no.
        let no = |name: &str| (name == "V8_FROM_SOURCE").then(|| "0".to_owned());
        assert_eq!(Surroundings::overriding(no), None);
    }

    #[test]
    fn a_mirror_that_is_a_folder_is_the_only_place() {
        let mirror = tempfile::tempdir().unwrap();
        let machine =
            Machine::with_vars(|name| (name == "RUSTY_V8_MIRROR").then(|| mirror.path().to_str().unwrap().to_owned()));
        machine.cache(PACKED);
        machine.folder("one", Some(PACKED_SUM));
        let (choice, passed_over) = machine.surroundings.choose(|_| Ok(()));
        assert_eq!(choice, Choice::Missing);
        assert_eq!(passed_over.len(), 1);

        let inside = PathBuf::from(machine.surroundings.archive.url());
        machine.put(&inside, PACKED);
        assert_eq!(machine.online(), Choice::Present(inside));
    }
}
