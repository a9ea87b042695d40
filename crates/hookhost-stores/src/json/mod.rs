//! A store in JSON files.

mod file;
mod source;

use std::path::{self, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hookhost_contract::{JsonObject, Row, Store, StoreFuture};

use self::source::Source;
use crate::readers::{Readers, ended};
use crate::{DEFAULT_READ_TIMEOUT, OpenError, memory};

/// A store in JSON files, for data that changes by hand or by deployment.
///
/// The path is a file `{ "<store>": { "<key>": { row } } }`, or a folder with a file `<store>.json` for each store,
/// `{ "<key>": { row } }`. All of it is read when the store is opened, and held in memory. A file that has changed is
/// read again by the next read. One that is broken by then makes reads fail until it is repaired.
///
/// ```no_run
/// use hookhost_stores::JsonStore;
///
/// let store = JsonStore::open("stores.json")?;
/// # Ok::<(), hookhost_stores::OpenError>(())
/// ```
pub struct JsonStore {
    readers: Readers<Source>,
}

/// Opens a [`JsonStore`] with other settings than the defaults.
#[derive(Debug, Clone)]
pub struct JsonStoreBuilder {
    path: PathBuf,
    read_timeout: Duration,
}

impl JsonStore {
    /// Opens a file or a folder with the default settings.
    ///
    /// # Errors
    /// As [`JsonStoreBuilder::open`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, OpenError> {
        Self::builder(path).open()
    }

    /// Settings for a store in a file or a folder.
    pub fn builder(path: impl Into<PathBuf>) -> JsonStoreBuilder {
        JsonStoreBuilder { path: path.into(), read_timeout: DEFAULT_READ_TIMEOUT }
    }
}

impl JsonStoreBuilder {
    /// How long a read may take. Default: [`DEFAULT_READ_TIMEOUT`], 5 s.
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = timeout;
        self
    }

    /// Reads the file, or every `.json` file of the folder.
    ///
    /// # Errors
    /// There is nothing at the path, it is a pipe or a device, a file is larger than
    /// [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES), is not JSON (with line and column), or has another shape.
    pub fn open(self) -> Result<JsonStore, OpenError> {
        // What the path means now: the program may go elsewhere later.
        let path = path::absolute(&self.path).map_err(|error| OpenError::io(&self.path, error))?;
        let opened = Mutex::new(Some(Source::open(path.clone())?));
        let make = move || {
            let opened = opened.lock().unwrap_or_else(PoisonError::into_inner).take();
            opened.unwrap_or_else(|| Source::unread(path.clone()))
        };
        // One reader: the rows are in memory, and only a file that has changed takes time.
        let readers = Readers::start(1, self.read_timeout, make).map_err(OpenError::thread)?;
        Ok(JsonStore { readers })
    }
}

impl Store for JsonStore {
    fn get<'a>(&'a self, store: &'a str, key: &'a str) -> StoreFuture<'a, Option<Row>> {
        let (name, key) = (store.to_owned(), key.to_owned());
        let read = self.readers.read(store, move |source, _| memory::get(source.rows(&name)?, &key));
        Box::pin(async move { read.await.unwrap_or_else(|| Err(ended(store))) })
    }

    fn query<'a>(&'a self, store: &'a str, filter: &'a JsonObject) -> StoreFuture<'a, Vec<Row>> {
        let (name, filter) = (store.to_owned(), filter.clone());
        let read = self.readers.read(store, move |source, _| memory::query(source.rows(&name)?, &filter));
        Box::pin(async move { read.await.unwrap_or_else(|| Err(ended(store))) })
    }
}
