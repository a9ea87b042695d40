//! What `ctx.store` reads: stores in memory, in JSON files, in SQLite and in PostgreSQL.
//!
//! A hook with `store:read` asks for a row by its key, or for the rows whose fields equal those of a filter. All stores
//! here give the same answers to the same rows, and none of them ever writes.
//!
//! ```
//! use hookhost_contract::Store;
//! use hookhost_stores::JsonStore;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("stores.json");
//! std::fs::write(&path, r#"{ "members": { "u1": { "role": "admin" }, "u2": { "role": "clerk" } } }"#)?;
//! let store = JsonStore::open(&path)?;
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let member = store.get("members", "u1").await?;
//! assert_eq!(member.unwrap()["role"], "admin");
//!
//! let filter = serde_json::Map::from_iter([("role".to_owned(), "clerk".into())]);
//! assert_eq!(store.query("members", &filter).await?.len(), 1);
//! # Ok::<(), hookhost_contract::StoreError>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which one
//!
//! | store | for | cargo feature |
//! |---|---|---|
//! | [`MemoryStore`] | tests, and data that the program has anyway | none |
//! | [`JsonStore`] | data that people edit | none |
#![cfg_attr(feature = "sqlite", doc = "| [`SqliteStore`] | data of one machine | `sqlite`: needs a C compiler |")]
#![cfg_attr(not(feature = "sqlite"), doc = "| `SqliteStore` | data of one machine | `sqlite`: needs a C compiler |")]
#![cfg_attr(feature = "postgres", doc = "| [`PostgresStore`] | data that programs share | `postgres` |")]
#![cfg_attr(not(feature = "postgres"), doc = "| `PostgresStore` | data that programs share | `postgres` |")]
//!
//! No feature is on by default.
//!
//! # Where a read runs
//!
//! A hook's thread polls what a store returns, and that thread may be busy with JavaScript, or end at any time. So a
//! store reads on threads of its own, and the future only waits for the answer, in any runtime. Dropping it ends the
//! read. After the read timeout, [`DEFAULT_READ_TIMEOUT`] unless set, it is an error, even while the read itself is
//! stuck. A read that fails is the hook's failure, which its fail policy decides.
//!
//! Limits: [`MAX_ROWS`], [`MAX_BYTES`], [`MAX_FILE_BYTES`].

#![forbid(unsafe_code)]

mod error;
mod filter;
mod found;
mod json;
mod limits;
mod memory;
mod name;
#[cfg(feature = "postgres")]
mod postgres;
mod readers;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod table;

pub use error::OpenError;
pub use json::{JsonStore, JsonStoreBuilder};
pub use limits::{DEFAULT_READ_TIMEOUT, MAX_BYTES, MAX_FILE_BYTES, MAX_ROWS};
pub use memory::{MemoryStore, MemoryStoreError};
#[cfg(feature = "postgres")]
pub use postgres::{PostgresStore, PostgresStoreBuilder};
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteStore, SqliteStoreBuilder};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub use table::Table;
