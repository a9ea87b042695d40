//! What every store has to answer, whatever it keeps its rows in.

use hookhost_contract::Store;
use hookhost_stores::{MAX_BYTES, MAX_ROWS, MemoryStore};
use serde_json::{Value, json};

use crate::support::{found, get, object, query};

/// What is in the stores under test.
pub(crate) fn stores() -> Value {
    let many: serde_json::Map<_, _> = (0..=MAX_ROWS).map(|n| (n.to_string(), json!({ "n": n % 2 }))).collect();
    let half = "x".repeat(MAX_BYTES / 2);
    json!({
        "members": {
            "u1": { "id": "u1", "role": "admin", "team": 1, "active": true, "boss": null },
            "u2": { "id": "u2", "role": "clerk", "team": 1.0, "active": false, "boss": "u1" },
            "u3": { "id": "u3", "role": "o'clerk", "team": "1", "active": 1 },
            "U1": { "id": "U1", "role": "ADMIN", "team": 2.5, "tags": ["a", { "b": 1 }], "active": "true" },
            "é": { "id": "é", "role": "日本 😀", "address": { "city": "Köln", "zip": 50667 }, "team": 9007199254740993_i64 },
            "": { "id": "", "role": "", "team": 18446744073709551615_u64, "a b": 1, "a.b": 2, "a\"b": 3, "": 4 },
            "%": { "id": "%", "role": "%", "team": 1e300, "_": "_" },
            "a'; DROP TABLE members; --": { "id": "quote", "role": "\"", "team": -0.5 },
        },
        "empty": {},
        "many": many,
        "large": { "a": { "half": half }, "b": { "half": half } },
    })
}

/// Asks everything. `store` holds [`stores`].
pub(crate) fn conforms(store: &impl Store) {
    rows_by_key(store);
    rows_by_fields(store);
    names(store);
    limits(store);
}

fn rows_by_key(store: &impl Store) {
    let stores = stores();
    for (key, row) in stores["members"].as_object().unwrap() {
        let found = get(store, "members", key).unwrap().unwrap();
        assert_eq!(found["id"], row["id"], "{key}");
        assert_eq!(found.len(), row.as_object().unwrap().len(), "{key}");
    }
    for (key, fields) in [("u1", &["role", "team", "active", "boss"][..]), ("é", &["role", "address", "team"])] {
        let found = get(store, "members", key).unwrap().unwrap();
        for field in fields {
            assert_eq!(found[*field], stores["members"][key][field], "{key} {field}");
        }
    }
    for key in ["u9", "u", "U2", "u1 ", "u1\0", "%%", "' OR '1'='1", "\u{e9}\u{301}"] {
        assert_eq!(get(store, "members", key).unwrap(), None, "{key}");
    }
    assert_eq!(get(store, "empty", "u1").unwrap(), None);
}

fn rows_by_fields(store: &impl Store) {
    let everybody = json!(["", "%", "U1", "quote", "u1", "u2", "u3", "é"]);
    for (filter, ids) in [
        (json!({}), everybody),
        (json!({ "role": "admin" }), json!(["u1"])),
        (json!({ "role": "o'clerk" }), json!(["u3"])),
        (json!({ "role": "\"" }), json!(["quote"])),
        (json!({ "role": "%" }), json!(["%"])),
        (json!({ "role": "" }), json!([""])),
        (json!({ "role": "日本 😀" }), json!(["é"])),
        (json!({ "role": "admin\0" }), json!([])),
        (json!({ "role": null }), json!([])),
        // Numbers by value, and only numbers.
        (json!({ "team": 1 }), json!(["u1", "u2"])),
        (json!({ "team": 1.0 }), json!(["u1", "u2"])),
        (json!({ "team": "1" }), json!(["u3"])),
        (json!({ "team": 2.5 }), json!(["U1"])),
        (json!({ "team": -0.5 }), json!(["quote"])),
        (json!({ "team": 9007199254740993_i64 }), json!(["é"])),
        (json!({ "team": 9007199254740992_i64 }), json!([])),
        (json!({ "team": 18446744073709551615_u64 }), json!([""])),
        (json!({ "team": 1e300 }), json!(["%"])),
        (json!({ "active": true }), json!(["u1"])),
        (json!({ "active": 1 }), json!(["u3"])),
        (json!({ "active": false }), json!(["u2"])),
        (json!({ "active": 0 }), json!([])),
        // A field that is absent equals nothing.
        (json!({ "boss": null }), json!(["u1"])),
        (json!({ "nobody": null }), json!([])),
        (json!({ "nobody": "x" }), json!([])),
        // All of a nested value, or none of it.
        (json!({ "address": { "zip": 50667.0, "city": "Köln" } }), json!(["é"])),
        (json!({ "address": { "zip": 50667 } }), json!([])),
        (json!({ "address": {} }), json!([])),
        (json!({ "tags": ["a", { "b": 1 }] }), json!(["U1"])),
        (json!({ "tags": [{ "b": 1 }, "a"] }), json!([])),
        (json!({ "tags": ["a"] }), json!([])),
        // Every field has to fit.
        (json!({ "team": 1, "role": "clerk" }), json!(["u2"])),
        (json!({ "team": 1, "role": "ADMIN" }), json!([])),
        // Names of fields that mean something to SQL, or to a path in it.
        (json!({ "a b": 1 }), json!([""])),
        (json!({ "a.b": 2 }), json!([""])),
        (json!({ "a\"b": 3 }), json!([""])),
        (json!({ "": 4 }), json!([""])),
        (json!({ "a'b": 3 }), json!([])),
        (json!({ "a\0b": 3 }), json!([])),
        (json!({ "_": "_" }), json!(["%"])),
        (json!({ "address.city": "Köln" }), json!([])),
        (json!({ "tags[0]": "a" }), json!([])),
    ] {
        assert_eq!(json!(found(store, "members", filter.clone(), "id")), ids, "{filter}");
    }
    // More fields than a database would like to compare.
    let wide: serde_json::Map<_, _> = (0..3000).map(|n| (format!("f{n}"), json!(n))).collect();
    assert!(query(store, "members", wide.into()).unwrap().is_empty());
    assert!(query(store, "empty", json!({})).unwrap().is_empty());
}

fn names(store: &impl Store) {
    for name in [
        "member",
        "Members",
        "invoices",
        "",
        ".",
        "../members",
        "members\0",
        "members\0x",
        "members; DROP TABLE members",
        "members\" WHERE '1'='1",
        "\"members\"",
        "main.members",
        "public.members",
        "sqlite_master",
        "sqlite_schema",
        "pg_authid",
        "pg_settings",
        "pg_catalog.pg_authid",
        "information_schema.tables",
        "tables",
    ] {
        for error in [get(store, name, "u1").err(), query(store, name, json!({})).err()] {
            let error = error.unwrap_or_else(|| panic!("`{name}` is a store")).to_string();
            assert!(error.starts_with("there is no store of this name"), "{name}: {error}");
        }
    }
    let error = get(store, "member", "u1").unwrap_err();
    assert_eq!(error.to_string(), "there is no store of this name; did you mean `members`?");
    assert_eq!(get(store, "invoices", "u1").unwrap_err().to_string(), "there is no store of this name");
}

fn limits(store: &impl Store) {
    let rows = query(store, "many", json!({ "n": 0 })).unwrap();
    assert_eq!(rows.len(), MAX_ROWS / 2 + 1);
    let error = query(store, "many", json!({})).unwrap_err();
    assert_eq!(error.to_string(), "more than 10000 rows fit: filter by more fields");

    assert!(get(store, "large", "a").unwrap().is_some());
    let error = query(store, "large", json!({})).unwrap_err();
    assert_eq!(error.to_string(), "the answer is larger than 16 MiB: filter by more fields, or store less in a row");
    // What was too much for one read is nothing to the next.
    assert_eq!(found(store, "members", json!({ "role": "admin" }), "id"), ["u1"]);
}

#[test]
fn memory() {
    let store = MemoryStore::from_json(&stores()).unwrap();
    conforms(&store);
    store.insert("members", "u9", object(json!({ "id": "u9" })));
    assert!(get(&store, "members", "u9").unwrap().is_some());
}
