//! `{ "<store>": { "<key>": { row } } }`, as JSON.

use std::collections::BTreeMap;

use hookhost_contract::{JsonObject, Row, StoreError, suggest};
use serde_json::Value;

/// The rows of one store, by key.
pub(crate) type Rows = BTreeMap<String, Row>;

/// JSON that is no store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place} is not an object: write {{ \"<store>\": {{ \"<key>\": {{ row }} }} }}")]
pub struct ShapeError {
    /// Where in the JSON, for instance `members.u1`.
    pub place: String,
}

/// Reads several stores.
pub(crate) fn stores(json: &Value) -> Result<BTreeMap<String, Rows>, ShapeError> {
    let stores = object(json, || "the whole".to_owned())?;
    stores.iter().map(|(name, rows)| Ok((name.clone(), store(name, rows)?))).collect()
}

/// Reads one store.
pub(crate) fn store(name: &str, json: &Value) -> Result<Rows, ShapeError> {
    let rows = object(json, || format!("`{name}`"))?;
    rows.iter().map(|(key, row)| Ok((key.clone(), object(row, || format!("`{name}.{key}`"))?.clone()))).collect()
}

fn object(json: &Value, place: impl FnOnce() -> String) -> Result<&JsonObject, ShapeError> {
    json.as_object().ok_or_else(|| ShapeError { place: place() })
}

/// A store that is not there is a mistake in a name, and must not look like a row that is not there.
pub(crate) fn no_such_store<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> StoreError {
    StoreError(match suggest(name, known) {
        Some(meant) => format!("there is no store of this name; did you mean `{meant}`?"),
        None => "there is no store of this name".to_owned(),
    })
}
