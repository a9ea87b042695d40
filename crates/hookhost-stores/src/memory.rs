//! A store in memory.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use hookhost_contract::{JsonObject, Row, Store, StoreError, StoreFuture};
use serde_json::Value;

use crate::filter::fits;
use crate::found::Found;
use crate::name::no_such_store;

/// The rows of one store, by key.
pub(crate) type Rows = BTreeMap<String, Row>;

/// A store in memory, for tests and for small fixed data.
///
/// ```
/// use hookhost_stores::MemoryStore;
///
/// let store = MemoryStore::from_json(&serde_json::json!({ "members": { "u1": { "role": "admin" } } }))?;
/// store.insert("members", "u2", serde_json::Map::new());
/// # Ok::<(), hookhost_stores::MemoryStoreError>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryStore {
    stores: RwLock<BTreeMap<String, Rows>>,
}

/// JSON that is no store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place} is not an object: write {{ \"<store>\": {{ \"<key>\": {{ row }} }} }}")]
pub struct MemoryStoreError {
    /// Where in the JSON, for instance `members.u1`.
    pub place: String,
}

impl MemoryStore {
    /// Reads `{ "<store>": { "<key>": { row } } }`.
    ///
    /// # Errors
    /// The JSON has another shape.
    pub fn from_json(json: &Value) -> Result<Self, MemoryStoreError> {
        Ok(Self { stores: RwLock::new(stores(json.clone())?) })
    }

    /// Puts a row under a key, in place of the former one. Makes the store if there is none.
    pub fn insert(&self, store: impl Into<String>, key: impl Into<String>, row: Row) {
        let mut stores = self.stores.write().unwrap_or_else(PoisonError::into_inner);
        stores.entry(store.into()).or_default().insert(key.into(), row);
    }

    fn read<T>(&self, store: &str, read: impl FnOnce(&Rows) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let stores = self.stores.read().unwrap_or_else(PoisonError::into_inner);
        match stores.get(store) {
            Some(rows) => read(rows),
            None => Err(no_such_store(store, stores.keys().map(String::as_str))),
        }
    }
}

/// Takes `{ "<store>": { "<key>": { row } } }` apart.
pub(crate) fn stores(json: Value) -> Result<BTreeMap<String, Rows>, MemoryStoreError> {
    let mut stores = BTreeMap::new();
    for (name, json) in object(json, || "the whole".to_owned())? {
        let rows = rows(json, &name)?;
        stores.insert(name, rows);
    }
    Ok(stores)
}

/// Takes `{ "<key>": { row } }` apart: what is in the store `name`.
pub(crate) fn rows(json: Value, name: &str) -> Result<Rows, MemoryStoreError> {
    let mut rows = Rows::new();
    for (key, row) in object(json, || format!("`{name}`"))? {
        let row = object(row, || format!("`{name}.{key}`"))?;
        rows.insert(key, row);
    }
    Ok(rows)
}

fn object(json: Value, place: impl FnOnce() -> String) -> Result<JsonObject, MemoryStoreError> {
    match json {
        Value::Object(object) => Ok(object),
        _ => Err(MemoryStoreError { place: place() }),
    }
}

/// The row under `key`.
pub(crate) fn get(rows: &Rows, key: &str) -> Result<Option<Row>, StoreError> {
    let mut found = Found::default();
    if let Some(row) = rows.get(key) {
        found.add(key.to_owned(), row.clone())?;
    }
    found.into_row(key)
}

/// The rows that fit, as [`Store::query`] gives them.
pub(crate) fn query(rows: &Rows, filter: &JsonObject) -> Result<Vec<Row>, StoreError> {
    let mut found = Found::default();
    for (key, row) in rows.iter().filter(|(_, row)| fits(row, filter)) {
        found.add(key.clone(), row.clone())?;
    }
    Ok(found.into_rows())
}

impl Store for MemoryStore {
    fn get<'a>(&'a self, store: &'a str, key: &'a str) -> StoreFuture<'a, Option<Row>> {
        Box::pin(async move { self.read(store, |rows| get(rows, key)) })
    }

    fn query<'a>(&'a self, store: &'a str, filter: &'a JsonObject) -> StoreFuture<'a, Vec<Row>> {
        Box::pin(async move { self.read(store, |rows| query(rows, filter)) })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn members() -> MemoryStore {
        MemoryStore::from_json(&json!({
            "members": { "u1": { "role": "admin", "team": 1 }, "u2": { "role": "clerk", "team": 1 } }
        }))
        .unwrap()
    }

    #[tokio::test]
    async fn a_row_is_found_by_its_key() {
        assert_eq!(members().get("members", "u1").await.unwrap().unwrap()["role"], "admin");
        assert_eq!(members().get("members", "u3").await.unwrap(), None);
    }

    #[tokio::test]
    async fn rows_are_found_by_equal_fields() {
        let store = members();
        let count = async |filter: Value| store.query("members", filter.as_object().unwrap()).await.unwrap().len();
        assert_eq!(count(json!({})).await, 2);
        assert_eq!(count(json!({ "team": 1 })).await, 2);
        assert_eq!(count(json!({ "team": 1, "role": "clerk" })).await, 1);
        assert_eq!(count(json!({ "team": "1" })).await, 0);
    }

    #[tokio::test]
    async fn a_misspelt_store_is_an_error() {
        let error = members().get("member", "u1").await.unwrap_err();
        assert_eq!(error.to_string(), "there is no store of this name; did you mean `members`?");
    }

    #[test]
    fn another_shape_is_refused_with_its_place() {
        let error = |json: Value| MemoryStore::from_json(&json).unwrap_err().to_string();
        assert!(error(json!([])).starts_with("the whole is not an object"));
        assert!(error(json!({ "members": [] })).starts_with("`members` is not an object"));
        assert!(error(json!({ "members": { "u1": 3 } })).starts_with("`members.u1` is not an object"));
    }
}
