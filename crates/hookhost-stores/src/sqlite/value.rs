//! What SQLite holds, as JSON; and what of a filter SQLite can look for.

use hookhost_contract::{Row, StoreError, parse_json};
use rusqlite::types::{Value as Bound, ValueRef};
use serde_json::{Number, Value};

use super::relation::Column;
use crate::MAX_BYTES;
use crate::filter::exact;
use crate::found::too_large;
use crate::table::quoted;

/// What a column's declared type says about its values. SQLite itself knows neither booleans nor JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    /// INTEGER, REAL, TEXT, NULL as they are.
    Plain,
    /// 0 and 1.
    Boolean,
    /// JSON text.
    Json,
}

impl Declared {
    pub(super) fn read(declared: &str) -> Self {
        match declared.to_ascii_uppercase().as_str() {
            "BOOLEAN" | "BOOL" => Self::Boolean,
            "JSON" => Self::Json,
            _ => Self::Plain,
        }
    }
}

/// A row that is one JSON object.
pub(super) fn row(column: &Column, held: ValueRef<'_>) -> Result<Row, StoreError> {
    match json(column, held)? {
        Value::Object(row) => Ok(row),
        _ => Err(StoreError(format!("the column `{}` is not a JSON object", column.name))),
    }
}

/// The value of a field.
pub(super) fn json(column: &Column, held: ValueRef<'_>) -> Result<Value, StoreError> {
    let fault = |what: &str| StoreError(format!("the column `{}` holds {what}", column.name));
    match (column.declared, held) {
        (_, ValueRef::Null) => Ok(Value::Null),
        (_, ValueRef::Blob(_)) => Err(fault("a BLOB, which JSON cannot: leave the column out, or store text")),
        (Declared::Boolean, ValueRef::Integer(0)) => Ok(Value::Bool(false)),
        (Declared::Boolean, ValueRef::Integer(1)) => Ok(Value::Bool(true)),
        (Declared::Boolean, _) => Err(fault("something other than 0 and 1, and is declared BOOLEAN")),
        (_, ValueRef::Integer(integer)) => Ok(integer.into()),
        (_, ValueRef::Real(real)) => {
            Number::from_f64(real).map(Value::Number).ok_or_else(|| fault("an infinite number, which JSON cannot"))
        }
        (declared, ValueRef::Text(bytes)) => {
            if bytes.len() > MAX_BYTES {
                return Err(too_large());
            }
            let text = std::str::from_utf8(bytes).map_err(|_| fault("text that is not UTF-8"))?;
            match declared {
                Declared::Json => parse_json(text).map_err(|error| fault(&format!("what is not JSON: {error}"))),
                _ => Ok(text.into()),
            }
        }
    }
}

/// The text of a key.
pub(super) fn key(held: ValueRef<'_>) -> Result<Option<String>, StoreError> {
    match held {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(integer) => Ok(Some(integer.to_string())),
        ValueRef::Real(real) => Ok(Some(Value::from(real).to_string())),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(StoreError("a key is not UTF-8".to_owned())),
        },
        ValueRef::Blob(_) => Err(StoreError("a key is a BLOB: use a key column of text or numbers".to_owned())),
    }
}

/// A condition that holds for every row whose field equals `wanted`, and perhaps for others. `None` if there is none
/// that SQLite could test.
pub(super) fn condition(column: &Column, wanted: &Value) -> Option<(String, Vec<Bound>)> {
    let name = quoted(&column.name);
    let bound = match (column.declared, wanted) {
        (Declared::Json, _) => return None,
        (_, Value::Null) => return Some((format!("{name} IS NULL"), Vec::new())),
        (Declared::Boolean, Value::Bool(wanted)) => Bound::Integer((*wanted).into()),
        (Declared::Plain, Value::String(wanted)) => Bound::Text(wanted.clone()),
        (Declared::Plain, Value::Number(wanted)) => match wanted.as_i64() {
            Some(integer) => Bound::Integer(integer),
            // SQLite compares an integer and a double by value, as we do.
            None if wanted.is_f64() => Bound::Real(wanted.as_f64()?),
            None => return None,
        },
        _ => return None,
    };
    Some((format!("{name} = ?"), vec![bound]))
}

/// The same for a field inside a JSON column.
///
/// It asks about every key of the object that reads like the field. `json_extract` would be simpler, and an index on it
/// quick, but it takes the first such key: of two that are equal we take the last, and of `"a\u0000b"` it sees the `a`
/// only. It would leave out rows that fit.
pub(super) fn json_condition(column: &Column, field: &str, wanted: &Value) -> Option<(String, Vec<Bound>)> {
    if field.contains('\0') {
        return None;
    }
    // Without its table, the name of the column would be a column of `json_each`.
    let name = quoted(&column.name);
    let exists =
        |test: &str| format!("EXISTS (SELECT 1 FROM json_each(held.{name}) AS part WHERE part.key = ? AND {test})");
    let field = Bound::Text(field.to_owned());
    let bound = match wanted {
        Value::Null => return Some((exists("part.atom IS NULL"), vec![field])),
        Value::Bool(wanted) => Bound::Integer((*wanted).into()),
        Value::Number(wanted) => Bound::Integer(exact(wanted)?),
        Value::String(wanted) if !wanted.contains('\0') => Bound::Text(wanted.clone()),
        _ => return None,
    };
    Some((exists("part.atom = ?"), vec![field, bound]))
}
