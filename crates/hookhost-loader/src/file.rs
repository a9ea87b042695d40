//! Reads a text file that somebody else wrote.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::Position;

/// The longest `hook.json`, `amodal.json` or `policy.json` that is read, in bytes: 1 MiB. They are settings, not data,
/// and a file that someone swapped in must not fill the memory.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// Why a file could not be read as text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// Something else has the file's name.
    #[error("this is {found}, not a file: put a JSON file in its place")]
    NotAFile {
        /// What is there, for instance `a directory`.
        found: &'static str,
    },
    /// A symbolic link without a target.
    #[error(
        "this is a symbolic link to something that does not exist: repair the link or put a JSON file in its place"
    )]
    DanglingLink,
    /// More than is read of such a file, for settings [`MAX_FILE_BYTES`].
    #[error("the file has {size} bytes and at most {limit} ({} MiB) are read: move data out of it", .limit >> 20)]
    TooLarge {
        /// The file's size in bytes.
        size: u64,
        /// How many bytes are read.
        limit: u64,
    },
    /// Not UTF-8.
    #[error("byte {byte} is not valid UTF-8: save the file as UTF-8")]
    NotUtf8 {
        /// The first byte that is wrong, counted from 0.
        byte: usize,
        /// The same as line and column.
        position: Position,
    },
    /// The operating system refused.
    #[error("the file cannot be read: {0}; check the path and its permissions")]
    Io(io::Error),
}

impl FileFault {
    /// Where in the file, when it is about one place.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::NotUtf8 { position, .. } => Some(*position),
            _ => None,
        }
    }
}

/// The text of a settings file without a byte order mark, or `None` if there is no such file.
pub(crate) fn read_text(path: &Path) -> Result<Option<String>, FileFault> {
    read_text_up_to(path, MAX_FILE_BYTES)
}

/// The same of a file that may have `limit` bytes.
pub(crate) fn read_text_up_to(path: &Path, limit: u64) -> Result<Option<String>, FileFault> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return match fs::symlink_metadata(path) {
                Ok(_) => Err(FileFault::DanglingLink),
                Err(_) => Ok(None),
            };
        }
        Err(error) => return Err(FileFault::Io(error)),
    };
    // Asked before the file is opened: opening a pipe would wait for its other end.
    if !metadata.is_file() {
        let found = if metadata.is_dir() { "a directory" } else { "a device or a pipe" };
        return Err(FileFault::NotAFile { found });
    }
    if metadata.len() > limit {
        return Err(FileFault::TooLarge { size: metadata.len(), limit });
    }
    // The size may have grown since, or be unknown to the file system.
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)).map_err(FileFault::Io)?;
    if bytes.len() as u64 > limit {
        return Err(FileFault::TooLarge { size: bytes.len() as u64, limit });
    }
    decode(bytes).map(Some)
}

fn decode(bytes: Vec<u8>) -> Result<String, FileFault> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        let good = String::from_utf8_lossy(&error.as_bytes()[..byte]);
        FileFault::NotUtf8 { byte, position: Position::of(&good, byte) }
    })?;
    // Some editors write a byte order mark; it is no part of the text, nor of any column.
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(decode(b"\xef\xbb\xbf{}".to_vec()).unwrap(), "{}");
    }

    #[test]
    fn the_first_wrong_byte_is_named() {
        let fault = decode(b"{\n \"\xff\": 1}".to_vec()).unwrap_err();
        assert_eq!(fault.to_string(), "byte 4 is not valid UTF-8: save the file as UTF-8");
        assert_eq!(fault.position().unwrap().to_string(), "2:3");
    }
}
