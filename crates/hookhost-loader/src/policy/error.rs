//! Why a policy cannot be used.

use std::path::PathBuf;

use crate::text::path_text;
use crate::{FileFault, Position};

/// A policy that cannot be used. None of it holds then: half a policy would be another one.
///
/// Each message stands alone, cause included, so [`source`](std::error::Error::source) is always `None`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// There is no such file.
    #[error(
        "`{}` does not exist: check the path or write the file, as in `{{\"rules\": [], \"default\": \"ask\"}}`",
        path_text(.file)
    )]
    NotFound {
        /// The file's path, as it was given.
        file: PathBuf,
    },
    /// The file is there and cannot be read as text.
    #[error("{}{}: {fault}", path_text(.file), .fault.position().map(|at| format!(":{at}")).unwrap_or_default())]
    Unreadable {
        /// The file's path, as it was given.
        file: PathBuf,
        /// Why not.
        fault: FileFault,
    },
    /// The file is not JSON.
    #[error("{}:{position}: {message}", path_text(.file))]
    Syntax {
        /// The file's path, as it was given.
        file: PathBuf,
        /// Where it stops being JSON.
        position: Position,
        /// What is wrong there and what to write.
        message: String,
    },
    /// The file is JSON and no policy: a wrong type, an unknown key or word, a key that is missing or written twice, or
    /// a glob that is none.
    #[error("{}:{position}: {message}", path_text(.file))]
    Invalid {
        /// The file's path, as it was given.
        file: PathBuf,
        /// Where the first such thing is.
        position: Position,
        /// What is wrong with it and what to write.
        message: String,
    },
}
