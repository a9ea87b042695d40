//! The data that hooks with `store:read` may look up.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::JsonObject;

/// One row of a store.
pub type Row = JsonObject;

/// What a [`Store`] method returns.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Read access to the embedder's data, behind `ctx.store`.
///
/// Its futures are polled on the hook's own thread, in a tokio runtime with I/O and time. A read that fails rejects
/// the hook's promise; a hook that lets that pass has failed, and its fail policy decides.
pub trait Store: Send + Sync + 'static {
    /// The row under `key`, or `None`.
    fn get<'a>(&'a self, store: &'a str, key: &'a str) -> StoreFuture<'a, Option<Row>>;

    /// The rows whose fields equal every field of `filter`; all rows for an empty filter.
    fn query<'a>(&'a self, store: &'a str, filter: &'a JsonObject) -> StoreFuture<'a, Vec<Row>>;
}

/// A store that the embedder keeps a hand on.
impl<S: Store + ?Sized> Store for Arc<S> {
    fn get<'a>(&'a self, store: &'a str, key: &'a str) -> StoreFuture<'a, Option<Row>> {
        (**self).get(store, key)
    }

    fn query<'a>(&'a self, store: &'a str, filter: &'a JsonObject) -> StoreFuture<'a, Vec<Row>> {
        (**self).query(store, filter)
    }
}

/// A read that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StoreError(pub String);
