//! How a hook's thread asks.

use hookhost_contract::{JsonObject, Row, Store, StoreError};
use serde_json::Value;

/// Waits in a runtime like a hook's, on this thread. It has neither I/O nor time: a store brings its own.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

pub(crate) fn get(store: &impl Store, name: &str, key: &str) -> Result<Option<Row>, StoreError> {
    wait(store.get(name, key))
}

pub(crate) fn query(store: &impl Store, name: &str, filter: Value) -> Result<Vec<Row>, StoreError> {
    wait(store.query(name, &object(filter)))
}

/// What one field of the rows says that fit.
pub(crate) fn found(store: &impl Store, name: &str, filter: Value, field: &str) -> Vec<Value> {
    query(store, name, filter).unwrap().iter().map(|row| row[field].clone()).collect()
}

pub(crate) fn object(json: Value) -> JsonObject {
    match json {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}
