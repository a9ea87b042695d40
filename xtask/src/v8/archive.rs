//! The names of the prebuilt V8: those that the build script of the `v8` crate makes up, made up the same way.

/// The version of the `v8` crate in Cargo.lock.
pub(crate) const VERSION: &str = "150.4.0";

/// The features of the `v8` crate that go into an archive's name. deno_core asks for this one.
const FEATURES: &str = "_simdutf";

const RELEASES: &str = "https://github.com/denoland/rusty_v8/releases/download";

/// The archive that fits this machine.
#[derive(Debug, Clone)]
pub(crate) struct Archive {
    base: String,
    profile: &'static str,
    target: String,
}

impl Archive {
    /// The archive for `target`, as the environment `var` asks for it.
    pub(crate) fn new(target: &str, var: impl Fn(&str) -> Option<String>) -> Self {
        let debug = var("V8_FORCE_DEBUG").is_some_and(|value| is_true(&value));
        Self {
            base: var("RUSTY_V8_MIRROR").unwrap_or_else(|| RELEASES.to_owned()),
            profile: if debug && !is_windows(target) { "debug" } else { "release" },
            target: target.to_owned(),
        }
    }

    /// Where the build script fetches the archive: an address, or a path if `RUSTY_V8_MIRROR` names a folder.
    pub(crate) fn url(&self) -> String {
        format!("{}/v{VERSION}/{}", self.base, self.file_name(""))
    }

    /// Whether the archive is fetched over the network.
    pub(crate) fn is_remote(&self) -> bool {
        self.base.starts_with("http:") || self.base.starts_with("https:")
    }

    /// The name under which the build script looks for a copy before it downloads.
    pub(crate) fn cache_name(&self) -> String {
        self.url().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }

    /// The name of a local copy. Unlike a download's it names the version, which no folder beside it does.
    pub(crate) fn local_name(&self) -> String {
        self.file_name(&format!("-{VERSION}"))
    }

    /// The name of the unpacked library in cargo's build directory, without its extension.
    pub(crate) fn library_stem(&self) -> &'static str {
        if is_windows(&self.target) { "rusty_v8" } else { "librusty_v8" }
    }

    /// The extension of the unpacked library.
    pub(crate) fn library_extension(&self) -> &'static str {
        if is_windows(&self.target) { "lib" } else { "a" }
    }

    fn file_name(&self, version: &str) -> String {
        let Self { profile, target, .. } = self;
        let (stem, extension) = (self.library_stem(), self.library_extension());
        format!("{stem}{FEATURES}_{profile}_{target}{version}.{extension}.gz")
    }
}

impl std::fmt::Display for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "V8 {VERSION} ({}, {})", self.target, self.profile)
    }
}

/// What the build script takes for a yes.
pub(crate) fn is_true(value: &str) -> bool {
    matches!(value, "true" | "1" | "yes")
}

fn is_windows(target: &str) -> bool {
    target.contains("-windows-")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINUX: &str = "x86_64-unknown-linux-gnu";

    fn archive(target: &str, vars: &[(&str, &str)]) -> Archive {
        Archive::new(target, |name| vars.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string()))
    }

    #[test]
    fn the_version_is_the_one_in_cargo_lock() {
        let lock = include_str!("../../../Cargo.lock");
        let entry = format!("name = \"v8\"\nversion = \"{VERSION}\"\n");
        assert!(
            lock.replace("\r\n", "\n").contains(&entry),
            "Cargo.lock holds another version of v8: raise VERSION, here and in xtask/build-v8.sh"
        );
        let script = include_str!("../../build-v8.sh");
        assert!(script.contains(&format!("\nversion={VERSION}\n")));
    }

    #[test]
    fn names_on_linux() {
        let archive = archive(LINUX, &[]);
        assert_eq!(
            archive.url(),
            "https://github.com/denoland/rusty_v8/releases/download/v150.4.0/\
             librusty_v8_simdutf_release_x86_64-unknown-linux-gnu.a.gz"
        );
        assert_eq!(
            archive.cache_name(),
            "https___github_com_denoland_rusty_v8_releases_download_v150_4_0_\
             librusty_v8_simdutf_release_x86_64_unknown_linux_gnu_a_gz"
        );
        assert_eq!(archive.local_name(), "librusty_v8_simdutf_release_x86_64-unknown-linux-gnu-150.4.0.a.gz");
        assert!(archive.is_remote());
    }

    #[test]
    fn names_on_windows() {
        let archive = archive("x86_64-pc-windows-msvc", &[("V8_FORCE_DEBUG", "1")]);
        assert_eq!(archive.local_name(), "rusty_v8_simdutf_release_x86_64-pc-windows-msvc-150.4.0.lib.gz");
    }

    #[test]
    fn a_mirror_changes_the_address_and_the_name_in_the_cache() {
        let mirrored = archive(LINUX, &[("RUSTY_V8_MIRROR", "http://mirror.example:81/v8")]);
        assert!(mirrored.is_remote());
        assert!(mirrored.url().starts_with("http://mirror.example:81/v8/v150.4.0/librusty_v8_"));
        assert!(mirrored.cache_name().starts_with("http___mirror_example_81_v8_v150_4_0_librusty_v8_"));
        assert!(!archive(LINUX, &[("RUSTY_V8_MIRROR", "/srv/v8")]).is_remote());
    }

    #[test]
    fn a_debug_build_is_asked_for_with_a_yes() {
        assert!(archive(LINUX, &[("V8_FORCE_DEBUG", "true")]).local_name().contains("_debug_"));
        assert!(archive(LINUX, &[("V8_FORCE_DEBUG", "0")]).local_name().contains("_release_"));
    }
}
