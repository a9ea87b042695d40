//! A store in a SQLite database.

mod connection;
mod read;
mod relation;
mod value;

use std::collections::BTreeMap;
use std::path::{self, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hookhost_contract::{JsonObject, Row, Store, StoreFuture};

use self::connection::Database;
use crate::readers::{Readers, ended};
use crate::{DEFAULT_READ_TIMEOUT, OpenError, Table};

/// A store in a SQLite database, which is only read.
///
/// Without more settings, each table with a column `key` and a column `value` is a store, and `value` is a row as a JSON
/// object. A table of another layout is one when [`SqliteStoreBuilder::table`] says how.
///
/// ```no_run
/// use hookhost_stores::{SqliteStore, Table};
///
/// let store = SqliteStore::builder("app.db")
///     .table("members", Table::new("member").key("user_id").column("role"))
///     .only_mapped_tables()
///     .open()?;
/// # Ok::<(), hookhost_stores::OpenError>(())
/// ```
pub struct SqliteStore {
    readers: Readers<Database>,
}

/// Opens a [`SqliteStore`] with other settings than the defaults.
///
/// The name of a store is looked for in the mapped tables first, then in the database.
#[derive(Debug, Clone)]
pub struct SqliteStoreBuilder {
    connections: usize,
    settings: Settings,
}

/// What every connection has to know.
#[derive(Debug, Clone)]
struct Settings {
    path: PathBuf,
    read_timeout: Duration,
    key: String,
    value: String,
    tables: BTreeMap<String, Table>,
    only_mapped_tables: bool,
}

impl SqliteStore {
    /// Opens a database with the default settings.
    ///
    /// # Errors
    /// As [`SqliteStoreBuilder::open`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, OpenError> {
        Self::builder(path).open()
    }

    /// Settings for a store in the database `path`.
    pub fn builder(path: impl Into<PathBuf>) -> SqliteStoreBuilder {
        let settings = Settings {
            path: path.into(),
            read_timeout: DEFAULT_READ_TIMEOUT,
            key: "key".to_owned(),
            value: "value".to_owned(),
            tables: BTreeMap::new(),
            only_mapped_tables: false,
        };
        SqliteStoreBuilder { connections: 4, settings }
    }
}

impl SqliteStoreBuilder {
    /// How long a read may take, the wait for a connection and for a writer included. Default:
    /// [`DEFAULT_READ_TIMEOUT`], 5 s.
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.settings.read_timeout = timeout;
        self
    }

    /// How many reads run at once, each on a connection and a thread of its own. Default: 4.
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections;
        self
    }

    /// The names of the two columns of a table that is a store. Default: `key` and `value`.
    pub fn columns(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.settings.key = key.into();
        self.settings.value = value.into();
        self
    }

    /// Makes a table of another layout the store `store`, in place of a table of that name.
    pub fn table(mut self, store: impl Into<String>, table: Table) -> Self {
        self.settings.tables.insert(store.into(), table);
        self
    }

    /// Keeps hooks away from every table that [`table`](Self::table) does not name. Default: they can read each table
    /// that has the two columns.
    pub fn only_mapped_tables(mut self) -> Self {
        self.settings.only_mapped_tables = true;
        self
    }

    /// Opens the database, read-only, and looks for the mapped tables.
    ///
    /// # Errors
    /// There is no database at the path, a mapped table or one of its columns is not there, or the settings ask for no
    /// connection at all.
    pub fn open(mut self) -> Result<SqliteStore, OpenError> {
        if self.connections == 0 {
            return Err(OpenError::Settings(
                "a store with 0 connections can read nothing: give it 1 or more".to_owned(),
            ));
        }
        for (store, table) in &self.settings.tables {
            table.check(store)?;
            if let Some(schema) = &table.schema {
                return Err(OpenError::Settings(format!(
                    "the table of the store `{store}` is in the schema `{schema}`, and SQLite has no schemas: leave it out"
                )));
            }
        }
        // What the path means now: the program may go elsewhere later. It also keeps SQLite from taking `file:...` or
        // `:memory:` for anything but a path.
        let path = &self.settings.path;
        self.settings.path = path::absolute(path).map_err(|error| OpenError::io(path, error))?;

        let settings = Arc::new(self.settings);
        Database::check(&settings)?;
        let timeout = settings.read_timeout;
        let readers = Readers::start(self.connections, timeout, move || Database::new(settings.clone()));
        Ok(SqliteStore { readers: readers.map_err(OpenError::thread)? })
    }
}

impl Store for SqliteStore {
    fn get<'a>(&'a self, store: &'a str, key: &'a str) -> StoreFuture<'a, Option<Row>> {
        let (name, key) = (store.to_owned(), key.to_owned());
        let read = self.readers.read(store, move |database, stop| database.get(&name, &key, stop));
        Box::pin(async move { read.await.unwrap_or_else(|| Err(ended(store))) })
    }

    fn query<'a>(&'a self, store: &'a str, filter: &'a JsonObject) -> StoreFuture<'a, Vec<Row>> {
        let (name, filter) = (store.to_owned(), filter.clone());
        let read = self.readers.read(store, move |database, stop| database.query(&name, &filter, stop));
        Box::pin(async move { read.await.unwrap_or_else(|| Err(ended(store))) })
    }
}
