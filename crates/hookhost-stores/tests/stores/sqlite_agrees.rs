//! Whatever the rows and the filter are: SQLite and a store in memory agree.

use hookhost_contract::{Row, Store};
use hookhost_stores::{SqliteStore, Table};
use proptest::prelude::*;
use proptest::sample::select;
use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use crate::anything::{agrees, config, filtering, rows, value, word};
use crate::support::wait;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sqlite_agrees_about_json(
        rows in rows(),
        filters in prop::collection::vec(filtering(), 1..6),
        asked in word(),
        escapes in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stores.db");
        let writer = Connection::open(&path).unwrap();
        writer.execute_batch("PRAGMA synchronous = OFF; CREATE TABLE rows (key TEXT PRIMARY KEY, value TEXT)").unwrap();
        for (key, row) in &rows {
            writer.execute("INSERT INTO rows VALUES (?1, ?2)", params![key, written(row, escapes)]).unwrap();
        }
        let store = SqliteStore::builder(&path).connections(1).open().unwrap();
        agrees(&store, &rows, &filters, &asked)?;
        // What is read is what was written, to the last digit.
        for (key, row) in &rows {
            prop_assert_eq!(&wait(store.get("rows", key)).unwrap().map(Value::Object), &Some(row.clone()));
        }
    }

    #[test]
    fn sqlite_agrees_about_columns(
        held in prop::collection::vec((word(), column_values()), 0..6),
        filters in prop::collection::vec(filtering(), 1..6),
        asked in word(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stores.db");
        let writer = Connection::open(&path).unwrap();
        let create = "CREATE TABLE t (\"the key\" TEXT PRIMARY KEY, a TEXT, b INTEGER, role REAL, \"a b\" BOOLEAN, \
            \"a\"\"b\" JSON, _x9, \"$\" NUMERIC, nocase TEXT COLLATE NOCASE)";
        writer.execute_batch(&format!("PRAGMA synchronous = OFF; {create}")).unwrap();
        let mut rows = Map::new();
        for (key, values) in held {
            if rows.contains_key(&key) {
                continue;
            }
            let columns = ["a", "b", "role", "a b", "a\"b", "_x9", "$", "nocase"];
            let mut row: Row = columns.into_iter().map(str::to_owned).zip(values.iter().cloned()).collect();
            let bound: Vec<_> = [Value::from(key.clone())].iter().chain(&values).map(bound).collect();
            let insert = "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
            writer.execute(insert, rusqlite::params_from_iter(bound)).unwrap();
            row.insert("the key".to_owned(), key.clone().into());
            rows.insert(key, row.into());
        }
        let table = Table::new("t").key("the key");
        let store = SqliteStore::builder(&path).connections(1).table("rows", table).open().unwrap();
        agrees(&store, &rows, &filters, &asked)?;
    }
}

/// The row as JSON text, perhaps with each letter as an escape that may be one.
fn written(row: &Value, escapes: bool) -> String {
    match row {
        Value::String(text) if escapes => {
            let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            format!("\"{escaped}\"")
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| written(item, escapes)).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(fields) => {
            let field = |(field, value): (&String, _)| {
                format!("{}:{}", written(&Value::from(field.clone()), escapes), written(value, escapes))
            };
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

/// A value for each column, such that SQLite keeps it as it is.
fn column_values() -> impl Strategy<Value = Vec<Value>> {
    let null = || Just(Value::Null);
    let integer = || prop_oneof![4 => -2_i64..3, 1 => any::<i64>()].prop_map(Value::from);
    let double = || any::<f64>().prop_filter("JSON has it", |double| double.is_finite()).prop_map(Value::from);
    // A numeric column turns text that looks like a number into one.
    let no_number = || select(&["", "a", "x1", "%", "é", "\0"][..]).prop_map(Value::from);
    (
        prop_oneof![word().prop_map(Value::from), null()],
        prop_oneof![integer(), null(), no_number()],
        prop_oneof![double(), (-2_i64..3).prop_map(|whole| Value::from(whole as f64)), null()],
        prop_oneof![any::<bool>().prop_map(Value::from), null()],
        value().prop_map(|value| json!([value])),
        prop_oneof![word().prop_map(Value::from), integer(), double(), null()],
        prop_oneof![integer(), double(), null(), no_number()],
        prop_oneof![word().prop_map(Value::from), null()],
    )
        .prop_map(|(a, b, c, d, e, f, g, h)| vec![a, b, c, d, e, f, g, h])
}

/// How a program would store it.
fn bound(value: &Value) -> rusqlite::types::Value {
    use rusqlite::types::Value as Bound;
    match value {
        Value::Null => Bound::Null,
        Value::Bool(value) => Bound::Integer((*value).into()),
        Value::Number(number) => number.as_i64().map_or_else(|| Bound::Real(number.as_f64().unwrap()), Bound::Integer),
        Value::String(text) => Bound::Text(text.clone()),
        other => Bound::Text(other.to_string()),
    }
}
