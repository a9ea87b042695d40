//! Which file holds which store.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use hookhost_contract::StoreError;

use super::file::Watched;
use crate::OpenError;
use crate::memory::{Rows, rows, stores};
use crate::name::no_such_store;

/// What a file with all stores looks like.
const ALL: &str = r#"{ "<store>": { "<key>": { row } } }"#;
/// What a file with one store looks like.
const ONE: &str = r#"{ "<key>": { row } }"#;

/// A file with all stores, or a folder with a file for each.
pub(super) struct Source {
    path: PathBuf,
    /// Which of the two the path was when the store was opened. A file that becomes a folder is a mistake.
    is_folder: bool,
    all: Watched<BTreeMap<String, Rows>>,
    each: BTreeMap<String, Watched<Rows>>,
}

impl Source {
    /// Reads everything.
    pub(super) fn open(path: PathBuf) -> Result<Self, OpenError> {
        let mut source = Self::unread(path);
        if source.is_folder {
            for (name, path) in files(&source.path)? {
                let mut file = Watched::new(path, ONE);
                file.now(|json| rows(json, &name)).map_err(OpenError::clone)?;
                source.each.insert(name, file);
            }
        } else {
            source.all.now(stores).map_err(OpenError::clone)?;
        }
        Ok(source)
    }

    /// Reads a file when it is asked for.
    pub(super) fn unread(path: PathBuf) -> Self {
        Self { is_folder: path.is_dir(), all: Watched::new(path.clone(), ALL), each: BTreeMap::new(), path }
    }

    /// The rows of the store `name`, as they are now.
    pub(super) fn rows(&mut self, name: &str) -> Result<&Rows, StoreError> {
        if !self.is_folder {
            let stores = self.all.now(stores).map_err(failed)?;
            return stores.get(name).ok_or_else(|| no_such_store(name, stores.keys().map(String::as_str)));
        }
        // The name comes from a hook. It is compared with the names of files and never becomes part of a path.
        let files = files(&self.path).map_err(|error| failed(&error))?;
        self.each.retain(|name, _| files.contains_key(name));
        match files.get(name) {
            None => Err(no_such_store(name, files.keys().map(String::as_str))),
            Some(path) => {
                let file = self.each.entry(name.to_owned()).or_insert_with(|| Watched::new(path.clone(), ONE));
                file.now(|json| rows(json, name)).map_err(failed)
            }
        }
    }
}

/// The `.json` files of a folder, by the name of their store.
fn files(folder: &Path) -> Result<BTreeMap<String, PathBuf>, OpenError> {
    let io = |error: io::Error| OpenError::io(folder, error);
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".json"));
        if let Some(name) = name {
            files.insert(name.to_owned(), path);
        }
    }
    Ok(files)
}

fn failed(error: &OpenError) -> StoreError {
    StoreError(error.to_string())
}
