//! One connection of one thread: how it is opened, for how long a read may hold it, and when it is opened again.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hookhost_contract::{JsonObject, Row, StoreError};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::Settings;
use super::read;
use super::relation::Relation;
use crate::OpenError;
use crate::readers::{Stop, too_slow};

/// How many steps of SQLite's machine pass between two looks at the clock: well under a millisecond.
const STEPS: i32 = 1000;

/// How long opening may wait for a writer.
const OPEN_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a read failed.
pub(super) enum Trouble {
    /// In words for the hook.
    Store(StoreError),
    /// In SQLite's.
    Sqlite(rusqlite::Error),
    /// Its time is up.
    TooSlow,
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// A database and, once something was read, a connection to it.
pub(super) struct Database {
    settings: Arc<Settings>,
    open: Option<(Identity, Connection)>,
}

/// Which file it is that has the path. Another one with the same path is another database.
#[derive(PartialEq, Eq)]
struct Identity {
    #[cfg(unix)]
    inode: (u64, u64),
}

impl Identity {
    fn of(path: &Path) -> Result<Self, OpenError> {
        let metadata = fs::metadata(path).map_err(|error| OpenError::io(path, error))?;
        // Asked before the file is opened: opening a pipe would wait for its other end.
        if !metadata.is_file() {
            let found = if metadata.is_dir() { "a directory" } else { "a device or a pipe" };
            return Err(OpenError::NotAFile { path: path.to_owned(), found });
        }
        Ok(Self {
            #[cfg(unix)]
            inode: {
                use std::os::unix::fs::MetadataExt;
                (metadata.dev(), metadata.ino())
            },
        })
    }
}

impl Database {
    pub(super) fn new(settings: Arc<Settings>) -> Self {
        Self { settings, open: None }
    }

    /// Opens the database once, to see whether that works and whether the mapped tables are there.
    pub(super) fn check(settings: &Settings) -> Result<(), OpenError> {
        let broken = |message| OpenError::Sqlite { path: settings.path.clone(), message };
        Identity::of(&settings.path)?;
        let connection = connect(&settings.path, OPEN_TIMEOUT).map_err(|error| broken(explained(&error)))?;
        for store in settings.tables.keys() {
            Relation::find(&connection, settings, store).map_err(|trouble| {
                broken(match trouble {
                    Trouble::Store(error) => format!("the store `{store}`: {error}"),
                    Trouble::Sqlite(error) => format!("the store `{store}`: {}", explained(&error)),
                    Trouble::TooSlow => format!("the store `{store}`: looking for its table took too long"),
                })
            })?;
        }
        Ok(())
    }

    pub(super) fn get(&mut self, store: &str, key: &str, stop: &Arc<Stop>) -> Result<Option<Row>, StoreError> {
        self.read(store, stop, |connection, settings| {
            let relation = Relation::find(connection, settings, store)?;
            Ok(read::get(connection, &relation, key, stop)?.into_row(key)?)
        })
    }

    pub(super) fn query(&mut self, store: &str, filter: &JsonObject, stop: &Arc<Stop>) -> Result<Vec<Row>, StoreError> {
        self.read(store, stop, |connection, settings| {
            let relation = Relation::find(connection, settings, store)?;
            Ok(read::query(connection, &relation, filter, stop)?.into_rows())
        })
    }

    /// Runs a read in a transaction of its own, so that the table it finds is the table it reads.
    fn read<T>(
        &mut self,
        store: &str,
        stop: &Arc<Stop>,
        read: impl FnOnce(&Connection, &Settings) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let settings = self.settings.clone();
        let answer = self.connection(stop).and_then(|connection| {
            let watched = stop.clone();
            connection.progress_handler(STEPS, Some(move || watched.now()))?;
            connection.busy_timeout(stop.time_left())?;
            // Dropped, it is rolled back: there is nothing to commit.
            let transaction = connection.unchecked_transaction()?;
            read(&transaction, &settings)
        });
        let error = match answer {
            Ok(answer) => return Ok(answer),
            Err(Trouble::Store(error)) => return Err(error),
            Err(Trouble::TooSlow) => return Err(too_slow(store, settings.read_timeout)),
            Err(Trouble::Sqlite(error)) => error,
        };
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => Err(too_slow(store, settings.read_timeout)),
            Some(ErrorCode::DatabaseBusy) => Err(StoreError(format!(
                "`{store}` was locked by a writer for {:?}: shorten its transactions, or use the journal mode WAL",
                settings.read_timeout
            ))),
            _ => {
                // Whatever it was, it shall not come from something that this connection remembers.
                self.open = None;
                Err(StoreError(explained(&error)))
            }
        }
    }

    fn connection(&mut self, stop: &Stop) -> Result<&Connection, Trouble> {
        let path = &self.settings.path;
        let identity = Identity::of(path).map_err(|error| {
            self.open = None;
            StoreError(error.to_string())
        })?;
        let connection = match self.open.take() {
            Some((of, connection)) if of == identity => connection,
            _ => connect(path, stop.time_left())?,
        };
        Ok(&self.open.insert((identity, connection)).1)
    }
}

fn connect(path: &Path, timeout: Duration) -> rusqlite::Result<Connection> {
    // A connection stays on one thread, so SQLite needs no locks for it.
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(timeout)?;
    // Hooks send no SQL; all of this guards against a mistake here, and against what a database's own views may try.
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // A name in double quotes is a name, and never a text because no column is called so.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.pragma_update(None, "query_only", true)?;
    // A file that is no database shows when something is read.
    connection.query_row("SELECT count(*) FROM main.sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// What SQLite says, and what to do.
fn explained(error: &rusqlite::Error) -> String {
    let advice = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "; give the path of a database",
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => {
            "; in the journal mode WAL the folder has to be writable, unless the writer is running"
        }
        Some(ErrorCode::DatabaseCorrupt) => "; run `PRAGMA integrity_check` on it",
        _ => "",
    };
    format!("SQLite says: {error}{advice}")
}
