//! Which files a hook's modules may be read from.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sys_traits::impls::RealSys;
use sys_traits::{
    BaseEnvVar, BaseFsCanonicalize, BaseFsMetadata, BaseFsOpen, BaseFsRead, BaseFsReadDir, EnvCurrentDir,
    FsCanonicalize, FsMetadata, FsOpen, FsReadDir, OpenOptions,
};

/// The package resolver reads nothing but `package.json`; what is longer is cut, and is no JSON then.
const PACKAGE_JSON_BYTES: u64 = 8 << 20;

/// Which files a hook's modules may be read from. Clones are the same fence.
///
/// What counts is where a file really is, so every question resolves symbolic links first. It is also a file system for
/// the package resolver, in which there is nothing outside of the fence.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fence {
    /// `None`: every file.
    limits: Option<Arc<Limits>>,
}

#[derive(Debug)]
struct Limits {
    /// As the host named it, for messages.
    shown: PathBuf,
    /// The same, symbolic links resolved.
    boundary: PathBuf,
    /// Packages outside of it that were named as dependencies: where they really are.
    packages: Mutex<BTreeSet<PathBuf>>,
}

impl Fence {
    /// Keeps reads inside of `boundary`; without one, nothing is kept.
    pub(crate) fn new(boundary: Option<&Path>) -> Self {
        let limits = boundary.map(|shown| {
            // A folder that cannot be resolved has no files in it either.
            let boundary = std::fs::canonicalize(shown).unwrap_or_else(|_| shown.to_owned());
            Arc::new(Limits { shown: shown.to_owned(), boundary, packages: Mutex::default() })
        });
        Self { limits }
    }

    /// The folder that reads are kept in.
    pub(crate) fn boundary(&self) -> Option<&Path> {
        self.limits.as_deref().map(|limits| &*limits.shown)
    }

    /// What to read for `path`: the path itself without a fence, else where it really is.
    ///
    /// # Errors
    /// It lies outside, in words. They are the same whether there is such a file or not.
    pub(crate) fn pass<'p>(&self, path: &'p Path) -> Result<Cow<'p, Path>, String> {
        let Some(limits) = &self.limits else { return Ok(Cow::Borrowed(path)) };
        match real(path) {
            Some(real) if limits.includes(&real.folder) => {
                Ok(if real.whole { Cow::Owned(real.folder) } else { Cow::Borrowed(path) })
            }
            _ => Err(limits.refusal(path)),
        }
    }

    /// True if `path` may be read, or asked about.
    pub(crate) fn includes(&self, path: &Path) -> bool {
        self.pass(path).is_ok()
    }

    /// Includes a package that was named as a dependency, and says whether it could. It must really lie in a
    /// `node_modules` folder: a package manager puts there what is meant to be shared. A link to a folder of sources
    /// elsewhere would open that folder.
    pub(crate) fn admit(&self, package: &Path) -> bool {
        let Some(limits) = &self.limits else { return true };
        match std::fs::canonicalize(package) {
            Ok(real) if is_installed(&real) => {
                limits.packages.lock().unwrap_or_else(PoisonError::into_inner).insert(real);
                true
            }
            _ => false,
        }
    }

    fn existing<'p>(&self, path: &'p Path) -> io::Result<Cow<'p, Path>> {
        self.pass(path).map_err(|_| io::ErrorKind::NotFound.into())
    }
}

impl Limits {
    fn includes(&self, real: &Path) -> bool {
        real.starts_with(&self.boundary)
            || self
                .packages
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .iter()
                .any(|package| real.starts_with(package))
    }

    fn refusal(&self, path: &Path) -> String {
        let boundary = self.shown.display();
        let inside = path.starts_with(&self.shown) && !path.components().any(|part| part.as_os_str() == "..");
        match inside {
            true => format!(
                "a link leads it out of {boundary}, and the sandbox lets this hook read files in there only; put a copy \
                 in the place of the link"
            ),
            false => format!(
                "it is outside of {boundary}, and the sandbox lets this hook read files in there only; copy it there, \
                 or install it as a package"
            ),
        }
    }
}

/// Where a path leads.
struct Real {
    folder: PathBuf,
    /// The path itself is there; else this is the nearest folder above it that is.
    whole: bool,
}

/// Symbolic links resolved, as far as the path exists: what is asked of a missing file must not tell more than its
/// folder does.
fn real(path: &Path) -> Option<Real> {
    path.ancestors().enumerate().find_map(|(missing, ancestor)| {
        Some(Real { folder: std::fs::canonicalize(ancestor).ok()?, whole: missing == 0 })
    })
}

/// True for `node_modules/name` and `node_modules/@scope/name`, and for nothing else in there, such as `.cache`.
fn is_installed(package: &Path) -> bool {
    let is_hidden = |name: &OsStr| name.to_string_lossy().starts_with(['.', '@']);
    let Some(mut holder) = package.parent() else { return false };
    let is_scope = |name: &OsStr| name.to_string_lossy().starts_with('@');
    if holder.file_name().is_some_and(is_scope) {
        let Some(above) = holder.parent() else { return false };
        holder = above;
    }
    package.file_name().is_some_and(|name| !is_hidden(name)) && holder.file_name() == Some(OsStr::new("node_modules"))
}

impl BaseFsCanonicalize for Fence {
    fn base_fs_canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        RealSys.fs_canonicalize(self.existing(path)?)
    }
}

impl BaseFsMetadata for Fence {
    type Metadata = <RealSys as BaseFsMetadata>::Metadata;

    fn base_fs_metadata(&self, path: &Path) -> io::Result<Self::Metadata> {
        RealSys.fs_metadata(self.existing(path)?)
    }

    fn base_fs_symlink_metadata(&self, path: &Path) -> io::Result<Self::Metadata> {
        self.existing(path)?;
        RealSys.fs_symlink_metadata(path)
    }
}

impl BaseFsRead for Fence {
    /// A pipe or a device could be read for ever, and nothing would end that: no JavaScript runs meanwhile.
    fn base_fs_read(&self, path: &Path) -> io::Result<Cow<'static, [u8]>> {
        let path = self.existing(path)?;
        if !std::fs::metadata(&path)?.is_file() {
            return Err(io::Error::other("it is a device or a pipe, or a folder"));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(PACKAGE_JSON_BYTES).read_to_end(&mut bytes)?;
        Ok(Cow::Owned(bytes))
    }
}

impl BaseFsReadDir for Fence {
    type ReadDirEntry = <RealSys as BaseFsReadDir>::ReadDirEntry;

    fn base_fs_read_dir(&self, path: &Path) -> io::Result<Box<dyn Iterator<Item = io::Result<Self::ReadDirEntry>>>> {
        RealSys.fs_read_dir(self.existing(path)?)
    }
}

impl BaseFsOpen for Fence {
    type File = <RealSys as BaseFsOpen>::File;

    fn base_fs_open(&self, path: &Path, options: &OpenOptions) -> io::Result<Self::File> {
        RealSys.fs_open(self.existing(path)?, options)
    }
}

impl EnvCurrentDir for Fence {
    fn env_current_dir(&self) -> io::Result<PathBuf> {
        std::env::current_dir()
    }
}

/// The host's own: what Deno's Rust code asks for, such as further certificates. No hook sees it.
impl BaseEnvVar for Fence {
    fn base_env_var_os(&self, name: &OsStr) -> Option<OsString> {
        std::env::var_os(name)
    }
}
