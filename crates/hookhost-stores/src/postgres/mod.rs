//! A store in a PostgreSQL database.

mod address;
mod condition;
mod connection;
mod pool;
mod read;
mod relation;
mod tls;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hookhost_contract::{JsonObject, Row, Store, StoreError, StoreFuture};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use self::address::Address;
use self::pool::Pool;
use self::read::{Ask, Reader};
use crate::found::Found;
use crate::readers::{deadline, ended, too_slow};
use crate::{DEFAULT_READ_TIMEOUT, OpenError, Table};

/// A store in a PostgreSQL database, which is only read.
///
/// Without more settings, each table with a column `key` and a column `value` is a store, and `value` (`jsonb`) is a row
/// as a JSON object. A table of another layout is one when [`PostgresStoreBuilder::table`] says how.
///
/// ```no_run
/// use hookhost_stores::{PostgresStore, Table};
///
/// let store = PostgresStore::builder("postgres://hooks@db.example.com/app?sslmode=verify-full")
///     .table("members", Table::new("member").key("user_id"))
///     .only_mapped_tables()
///     .open()?;
/// # Ok::<(), hookhost_stores::OpenError>(())
/// ```
pub struct PostgresStore {
    reader: Arc<Reader>,
    /// `None` once it is dropped.
    runtime: Option<Runtime>,
}

/// Opens a [`PostgresStore`] with other settings than the defaults.
///
/// The name of a store is looked for in the mapped tables first, then in the database.
#[derive(Clone)]
pub struct PostgresStoreBuilder {
    connection_string: String,
    connections: usize,
    connect_timeout: Duration,
    settings: Settings,
}

/// What a read has to know.
#[derive(Clone)]
struct Settings {
    read_timeout: Duration,
    schema: Option<String>,
    key: String,
    value: String,
    tables: BTreeMap<String, Table>,
    only_mapped_tables: bool,
}

impl PostgresStore {
    /// Opens a database with the default settings.
    ///
    /// # Errors
    /// As [`PostgresStoreBuilder::open`].
    pub fn open(connection_string: impl Into<String>) -> Result<Self, OpenError> {
        Self::builder(connection_string).open()
    }

    /// Settings for a store in the database that a connection string names: `postgres://user:password@host/database`,
    /// or `host=... user=... dbname=...`.
    ///
    /// `sslmode` and `sslrootcert` mean what they mean to PostgreSQL's own programs. Its default, `prefer`, and also
    /// `require`, take any certificate; `verify-full` makes sure who the server is.
    pub fn builder(connection_string: impl Into<String>) -> PostgresStoreBuilder {
        let settings = Settings {
            read_timeout: DEFAULT_READ_TIMEOUT,
            schema: None,
            key: "key".to_owned(),
            value: "value".to_owned(),
            tables: BTreeMap::new(),
            only_mapped_tables: false,
        };
        PostgresStoreBuilder {
            connection_string: connection_string.into(),
            connections: 4,
            connect_timeout: Duration::from_secs(2),
            settings,
        }
    }

    /// Connects, to see whether that works and whether the mapped tables are there.
    ///
    /// # Errors
    /// What a read would fail with.
    pub fn check(&self) -> StoreFuture<'static, ()> {
        let read = self.start("the mapped tables", Ask::Check);
        Box::pin(async move { read.await.map(drop) })
    }

    /// Reads in the store's own runtime. What is returned only waits for the answer; dropped, it ends the read.
    fn start(&self, store: &str, ask: Ask) -> impl Future<Output = Result<Found, StoreError>> + Send + use<> {
        let (mut sender, receiver) = oneshot::channel();
        let (reader, store) = (self.reader.clone(), store.to_owned());
        let name = store.clone();
        let timeout = self.reader.settings.read_timeout;
        let deadline = Instant::from_std(deadline(timeout));
        if let Some(runtime) = &self.runtime {
            runtime.spawn(async move {
                let read = timeout_at(deadline, reader.read(&store, &ask));
                let answer = tokio::select! {
                    answer = read => answer.unwrap_or_else(|_| Err(too_slow(&store, timeout))),
                    () = sender.closed() => return,
                };
                // Nobody waits any more: then nobody misses the answer.
                let _ = sender.send(answer);
            });
        }
        async move { receiver.await.unwrap_or_else(|_| Err(ended(&name))) }
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        // Waiting for the thread is not allowed where the store may be dropped: in another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl PostgresStoreBuilder {
    /// How long a read may take, the wait for a connection included. The server gets it as its `statement_timeout`, too.
    /// Default: [`DEFAULT_READ_TIMEOUT`], 5 s.
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.settings.read_timeout = timeout;
        self
    }

    /// How long connecting may take, for each host. Default: 2 s. A `connect_timeout` in the connection string goes
    /// before it.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// How many reads run at once, each on a connection of its own. Default: 4.
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections;
        self
    }

    /// The schema that the tables are in. Default: the `search_path` of the connection, which is `public` where nobody
    /// has changed it. PostgreSQL's own schemas are never read.
    pub fn schema(mut self, schema: impl Into<String>) -> Self {
        self.settings.schema = Some(schema.into());
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
    /// that has the two columns, and that the user may read.
    pub fn only_mapped_tables(mut self) -> Self {
        self.settings.only_mapped_tables = true;
        self
    }

    /// Makes the store. The first read connects: a server that is away makes reads fail, until it is back.
    /// [`PostgresStore::check`] tells at once.
    ///
    /// # Errors
    /// The connection string cannot be read, its certificates cannot, or the settings do not go together.
    pub fn open(self) -> Result<PostgresStore, OpenError> {
        if self.connections == 0 {
            return Err(OpenError::Settings(
                "a store with 0 connections can read nothing: give it 1 or more".to_owned(),
            ));
        }
        for (store, table) in &self.settings.tables {
            table.check(store)?;
        }
        let address = Address::read(&self.connection_string, self.connect_timeout)?;
        // A thread of its own, and a name to find it by. Reads wait for the network; one thread is enough for that.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("hookhost-store")
            .enable_all()
            .build()
            .map_err(OpenError::thread)?;
        let pool = Pool::new(address, self.connections, self.settings.read_timeout, runtime.handle().clone());
        let reader = Arc::new(Reader::new(pool, self.settings));
        Ok(PostgresStore { reader, runtime: Some(runtime) })
    }
}

impl Store for PostgresStore {
    fn get<'a>(&'a self, store: &'a str, key: &'a str) -> StoreFuture<'a, Option<Row>> {
        let read = self.start(store, Ask::Get(key.to_owned()));
        Box::pin(async move { read.await?.into_row(key) })
    }

    fn query<'a>(&'a self, store: &'a str, filter: &'a JsonObject) -> StoreFuture<'a, Vec<Row>> {
        let read = self.start(store, Ask::Query(filter.clone()));
        Box::pin(async move { Ok(read.await?.into_rows()) })
    }
}
