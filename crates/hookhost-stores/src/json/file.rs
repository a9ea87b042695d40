//! A JSON file that is read again when it has changed.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hookhost_contract::parse_json;
use serde_json::Value;

use crate::{MAX_FILE_BYTES, MemoryStoreError, OpenError};

/// What a file held when it was last read, in the form that `T` gives it.
pub(super) struct Watched<T> {
    path: PathBuf,
    form: &'static str,
    stamp: Option<Stamp>,
    held: Result<T, OpenError>,
}

/// What tells two versions of a file apart.
#[derive(Clone, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    #[cfg(unix)]
    inode: (u64, u64, i64, i64),
    /// It was written so shortly before that another write could leave the same time.
    unsettled: bool,
}

/// File systems keep times in steps; the coarsest that a server has today are some milliseconds.
const STEP: Duration = Duration::from_millis(50);

/// How often a file is tried that changes while it is read.
const TRIES: usize = 3;

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        let age = modified.and_then(|modified| SystemTime::now().duration_since(modified).ok());
        Self {
            modified,
            length: metadata.len(),
            #[cfg(unix)]
            inode: {
                use std::os::unix::fs::MetadataExt;
                (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
            },
            unsettled: age.is_some_and(|age| age < STEP),
        }
    }

    /// Whether a file with this stamp certainly holds what it held when it had the stamp `then`.
    fn is_still(&self, then: &Self) -> bool {
        let mut now = self.clone();
        now.unsettled = then.unsettled;
        !then.unsettled && now == *then
    }
}

impl<T> Watched<T> {
    /// A file that is not read yet. `form` is the shape that it should have, for messages.
    pub(super) fn new(path: PathBuf, form: &'static str) -> Self {
        let held = Err(OpenError::io(&path, ErrorKind::NotFound));
        Self { path, form, stamp: None, held }
    }

    /// What the file holds now.
    ///
    /// # Errors
    /// It cannot be read, or is broken.
    pub(super) fn now(
        &mut self,
        take_apart: impl FnOnce(Value) -> Result<T, MemoryStoreError>,
    ) -> Result<&T, &OpenError> {
        match checked(&self.path) {
            Ok(stamp) if self.stamp.as_ref().is_some_and(|then| stamp.is_still(then)) => {}
            Ok(_) => match read(&self.path) {
                Ok((stamp, json)) => {
                    self.stamp = Some(stamp);
                    self.held = json.and_then(|json| {
                        take_apart(json).map_err(|MemoryStoreError { place }| OpenError::Shape {
                            path: self.path.clone(),
                            place,
                            form: self.form,
                        })
                    });
                }
                Err(error) => self.fail(error),
            },
            Err(error) => self.fail(error),
        }
        self.held.as_ref()
    }

    fn fail(&mut self, error: OpenError) {
        self.stamp = None;
        self.held = Err(error);
    }
}

/// The stamp of a file that may be read.
fn checked(path: &Path) -> Result<Stamp, OpenError> {
    // Asked before the file is opened: opening a pipe would wait for its other end.
    let metadata = fs::metadata(path).map_err(|error| OpenError::io(path, error))?;
    check(path, &metadata)
}

fn check(path: &Path, metadata: &Metadata) -> Result<Stamp, OpenError> {
    if !metadata.is_file() {
        let found = if metadata.is_dir() { "a directory" } else { "a device or a pipe" };
        return Err(OpenError::NotAFile { path: path.to_owned(), found });
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(OpenError::TooLarge { path: path.to_owned(), size: metadata.len() });
    }
    Ok(Stamp::of(metadata))
}

/// The file's JSON, and the stamp that it had before and after it was read. The inner error belongs to the stamp: the
/// same file would give it again.
fn read(path: &Path) -> Result<(Stamp, Result<Value, OpenError>), OpenError> {
    let io = |error: io::Error| OpenError::io(path, error);
    for _ in 0..TRIES {
        let mut file = File::open(path).map_err(io)?;
        let before = check(path, &file.metadata().map_err(io)?)?;
        let mut bytes = Vec::new();
        // The size may have grown since, or be unknown to the file system.
        (&mut file).take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(OpenError::TooLarge { path: path.to_owned(), size: bytes.len() as u64 });
        }
        let mut after = check(path, &file.metadata().map_err(io)?)?;
        // How old the file is may have become another answer meanwhile; that is no change of the file.
        after.unsettled = before.unsettled;
        if before == after {
            return Ok((before, parse(path, bytes)));
        }
    }
    Err(OpenError::BeingWritten { path: path.to_owned() })
}

fn parse(path: &Path, bytes: Vec<u8>) -> Result<Value, OpenError> {
    let broken = |line, column, message| OpenError::Json { path: path.to_owned(), line, column, message };
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]).into_owned();
        let line = good.rsplit('\n').next().unwrap_or_default();
        broken(
            good.matches('\n').count() + 1,
            line.chars().count() + 1,
            "this is not UTF-8: save the file as UTF-8".to_owned(),
        )
    })?;
    // Some editors write a byte order mark; it is no part of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.trim().is_empty() {
        return Err(broken(1, 1, "the file is empty: write a JSON object".to_owned()));
    }
    parse_json(text).map_err(|error| {
        let message = error.to_string();
        // The place is in the error's text too, at its end.
        let what = message.split(" at line ").next().unwrap_or(&message);
        broken(error.line(), error.column(), format!("this is not JSON: {what}"))
    })
}
