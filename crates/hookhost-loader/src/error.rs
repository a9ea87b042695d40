//! Why a project cannot be loaded at all.

use std::io;
use std::path::PathBuf;

use crate::text::path_text;
use crate::{FileFault, Position};

/// A project that cannot be loaded at all. Anything less is in the [`LoadReport`](crate::LoadReport).
///
/// Each message stands alone, cause included, so [`source`](std::error::Error::source) is always `None`: a program
/// that prints whole chains would say things twice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// There is nothing at the path.
    #[error("`{}` does not exist: give the folder that holds `hooks/` and `amodal.json`", path_text(.path))]
    NotFound {
        /// The project's path, as it was given.
        path: PathBuf,
    },
    /// The path leads to a file.
    #[error("`{}` is not a directory: give the folder that holds `hooks/` and `amodal.json`", path_text(.path))]
    NotADirectory {
        /// The project's path, as it was given.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("`{}` cannot be opened: {error}; check the path and its permissions", path_text(.path))]
    Unreadable {
        /// The project's path, as it was given.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },
    /// `amodal.json` is there and cannot be read as text.
    #[error("{}{}: {fault}", path_text(.file), .fault.position().map(|at| format!(":{at}")).unwrap_or_default())]
    SettingsUnreadable {
        /// The path of `amodal.json`.
        file: PathBuf,
        /// Why not.
        fault: FileFault,
    },
    /// `amodal.json` is not JSON.
    #[error("{}:{position}: {message}", path_text(.file))]
    SettingsSyntax {
        /// The path of `amodal.json`.
        file: PathBuf,
        /// Where it stops being JSON.
        position: Position,
        /// What is wrong there and what to write.
        message: String,
    },
    /// A value in `amodal.json` has the wrong type.
    #[error("{}:{position}: {message}", path_text(.file))]
    SettingsType {
        /// The path of `amodal.json`.
        file: PathBuf,
        /// Where the value is.
        position: Position,
        /// What is wrong with it and what to write.
        message: String,
    },
}
