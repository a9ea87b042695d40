//! Whatever the rows and the filter are: PostgreSQL and a store in memory agree.

use hookhost_stores::PostgresStore;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value};

use crate::anything::{agrees, config, filtering, rows, word};
use crate::server::Server;

#[test]
fn postgres_agrees_about_json() {
    let Some(server) = Server::start() else { return };
    let admin = server.admin();
    admin.run("CREATE TABLE rows (key text PRIMARY KEY, value jsonb)");
    let store = PostgresStore::builder(server.address()).connections(1).open().unwrap();
    let case = (rows().prop_map(held), prop::collection::vec(filtering(), 1..6), word());
    let result = TestRunner::new(config()).run(&case, |(rows, filters, asked)| {
        admin.run("TRUNCATE rows");
        admin.insert("rows", &Value::Object(rows.clone()));
        agrees(&store, &rows, &filters, &asked)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// The rows as PostgreSQL holds them. Filters and keys that are asked for stay as they are.
fn held(rows: Map<String, Value>) -> Map<String, Value> {
    rows.into_iter().map(|(key, value)| (without_nul(&key), held_value(value))).collect()
}

fn held_value(value: Value) -> Value {
    match value {
        Value::String(text) => without_nul(&text).into(),
        // It keeps the digits of a number, not the double that they stand for: 9.223372036854776e18 is 2^63 as a double,
        // and 9223372036854776000 in digits.
        Value::Number(number) if number.is_f64() => {
            serde_json::from_str(&number.as_f64().unwrap().to_string()).unwrap()
        }
        Value::Array(items) => items.into_iter().map(held_value).collect(),
        Value::Object(fields) => held(fields).into(),
        other => other,
    }
}

/// Its texts have no NUL.
fn without_nul(text: &str) -> String {
    text.replace('\0', "")
}
