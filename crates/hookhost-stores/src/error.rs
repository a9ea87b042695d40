//! Why a store could not be opened.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::MAX_FILE_BYTES;

/// A store that could not be opened.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The operating system refused.
    #[error("cannot read `{}`: {error}; check the path and its permissions", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        error: Arc<io::Error>,
    },
    /// Something else has the file's name: a pipe, a device, a folder.
    #[error("`{}` is {found}, not a file: put a file in its place", .path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What is there, for instance `a directory`.
        found: &'static str,
    },
    /// More than [`MAX_FILE_BYTES`].
    #[error(
        "`{}` has {size} bytes, and at most {MAX_FILE_BYTES} (64 MiB) are read: split it, or use a database",
        .path.display()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
    },
    /// The file changed each time while it was read.
    #[error("`{}` is being written: write it elsewhere and rename it to this name", .path.display())]
    BeingWritten {
        /// The file.
        path: PathBuf,
    },
    /// A file that is not JSON.
    #[error("{}:{line}:{column}: {message}", .path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// JSON of another shape than a store's.
    #[error("`{}`: {place} is not an object: write {form}", .path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// Where in it, for instance `members.u1`.
        place: String,
        /// The shape that the file should have.
        form: &'static str,
    },
    /// The settings of the store do not go together.
    #[error("{0}")]
    Settings(String),
    /// The database cannot be used.
    #[error("the SQLite database `{}`: {message}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        message: String,
    },
    /// The connection string is not one.
    #[error("the connection string: {0}")]
    ConnectionString(String),
    /// The operating system gave no thread.
    #[error("cannot start a thread for the store: {0}")]
    Thread(Arc<io::Error>),
}

impl OpenError {
    pub(crate) fn io(path: impl Into<PathBuf>, error: impl Into<io::Error>) -> Self {
        Self::Io { path: path.into(), error: Arc::new(error.into()) }
    }

    pub(crate) fn thread(error: io::Error) -> Self {
        Self::Thread(Arc::new(error))
    }
}
