//! SQLite: tables as they are, other writers, and reads that take too long.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use hookhost_contract::Store;
use hookhost_stores::{SqliteStore, SqliteStoreBuilder, Table};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::conformance::{conforms, stores};
use crate::support::{found, get, query, wait};

const SHORT: Duration = Duration::from_millis(100);
/// Longer than a test may take.
const LONG: Duration = Duration::from_secs(3600);

/// Never comes to its first row.
const ENDLESS: &str = "CREATE VIEW endless (key, value) AS \
    WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT 'k', '{}' FROM c WHERE x < 0";

/// A database in a folder of its own.
struct Database {
    folder: TempDir,
    writer: Connection,
}

impl Database {
    fn new(sql: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let writer = Connection::open(folder.path().join("app.db")).unwrap();
        writer.execute_batch(sql).unwrap();
        Self { folder, writer }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("app.db")
    }

    fn builder(&self) -> SqliteStoreBuilder {
        SqliteStore::builder(self.path())
    }

    fn store(&self) -> SqliteStore {
        self.builder().open().unwrap()
    }
}

fn fill(writer: &Connection, stores: &Value) {
    for (name, rows) in stores.as_object().unwrap() {
        writer
            .execute_batch(&format!("BEGIN; CREATE TABLE {name} (key TEXT PRIMARY KEY, value TEXT NOT NULL)"))
            .unwrap();
        for (key, row) in rows.as_object().unwrap() {
            let insert = format!("INSERT INTO {name} VALUES (?1, ?2)");
            writer.execute(&insert, params![key, row.to_string()]).unwrap();
        }
        writer.execute_batch("COMMIT").unwrap();
    }
}

fn refused(builder: SqliteStoreBuilder) -> String {
    builder.open().err().expect("an error").to_string()
}

#[test]
fn it_conforms() {
    let database = Database::new("");
    fill(&database.writer, &stores());
    conforms(&database.store());
}

#[test]
fn it_conforms_while_another_connection_writes_ahead() {
    let database = Database::new("PRAGMA journal_mode = WAL");
    fill(&database.writer, &stores());
    database.writer.execute_batch("BEGIN IMMEDIATE; INSERT INTO members VALUES ('u9', '{}')").unwrap();
    let store = database.store();
    conforms(&store);
    assert_eq!(get(&store, "members", "u9").unwrap(), None);
    database.writer.execute_batch("COMMIT").unwrap();
    assert!(get(&store, "members", "u9").unwrap().is_some());
}

#[test]
fn a_table_of_another_layout_is_a_store() {
    let database = Database::new(
        "CREATE TABLE member (user_id INTEGER PRIMARY KEY, name TEXT, score REAL, active BOOLEAN, meta JSON, note);
         INSERT INTO member VALUES (1, 'Ann', 1, 1, '{\"tags\": [1]}', NULL), (2, 'Bob', 0.5, 0, 'null', 7),
             (3, NULL, NULL, NULL, NULL, 'x')",
    );
    let store = database
        .builder()
        .table("members", Table::new("member").key("user_id"))
        .table("names", Table::new("member").key("name").column("name").column_as("user_id", "id"))
        .open()
        .unwrap();
    assert_eq!(
        query(&store, "members", json!({})).unwrap().into_iter().map(Value::Object).collect::<Vec<_>>(),
        [
            json!({ "user_id": 1, "name": "Ann", "score": 1.0, "active": true, "meta": { "tags": [1] }, "note": null }),
            json!({ "user_id": 2, "name": "Bob", "score": 0.5, "active": false, "meta": null, "note": 7 }),
            json!({ "user_id": 3, "name": null, "score": null, "active": null, "meta": null, "note": "x" }),
        ]
    );
    assert_eq!(get(&store, "members", "2").unwrap().unwrap()["name"], "Bob");
    for key in ["02", "2.0", " 2", "Bob", "99999999999999999999"] {
        assert_eq!(get(&store, "members", key).unwrap(), None, "{key}");
    }
    for (filter, ids) in [
        (json!({ "score": 1 }), json!([1])),
        (json!({ "active": false }), json!([2])),
        (json!({ "active": 0 }), json!([])),
        (json!({ "meta": { "tags": [1.0] } }), json!([1])),
        (json!({ "meta": null }), json!([2, 3])),
        (json!({ "note": 7.0 }), json!([2])),
        (json!({ "name": null }), json!([3])),
        (json!({ "absent": null }), json!([])),
    ] {
        assert_eq!(json!(found(&store, "members", filter.clone(), "user_id")), ids, "{filter}");
    }
    let bob = get(&store, "names", "Bob").unwrap().unwrap();
    assert_eq!(Value::Object(bob), json!({ "name": "Bob", "id": 2 }));
    // What was left out cannot be asked about either.
    assert!(query(&store, "names", json!({ "score": 0.5 })).unwrap().is_empty());
    let error = get(&store, "member", "1").unwrap_err().to_string();
    assert_eq!(error, "there is no store of this name; did you mean `members`?");
}

#[test]
fn only_what_looks_like_a_store_is_one() {
    let database = Database::new(
        "CREATE TABLE secrets (key TEXT, value TEXT, other TEXT); INSERT INTO secrets VALUES ('k', '{}', '');
         CREATE TABLE accounts (id TEXT, value TEXT);
         CREATE VIEW admins (key, value) AS SELECT key, value FROM secrets;
         CREATE TABLE notes (k TEXT, v TEXT); INSERT INTO notes VALUES ('n', '{}')",
    );
    let store = database.store();
    assert!(get(&store, "secrets", "k").unwrap().is_some());
    assert!(get(&store, "admins", "k").unwrap().is_some());
    for name in ["accounts", "notes", "sqlite_sequence", "sqlite_schema", "pragma_table_info", "json_each"] {
        assert_eq!(get(&store, name, "k").unwrap_err().to_string(), "there is no store of this name", "{name}");
    }
    let renamed = database.builder().columns("k", "v").open().unwrap();
    assert!(get(&renamed, "notes", "n").unwrap().is_some());
    assert!(get(&renamed, "secrets", "k").is_err());

    let table = Table::new("accounts").key("id");
    let mapped = database.builder().table("accounts", table).only_mapped_tables().open().unwrap();
    assert_eq!(get(&mapped, "accounts", "k").unwrap(), None);
    assert_eq!(get(&mapped, "secrets", "k").unwrap_err().to_string(), "there is no store of this name");
}

#[test]
fn settings_that_do_not_fit_are_refused_when_it_is_opened() {
    let database = Database::new("CREATE TABLE member (user_id INTEGER PRIMARY KEY, name TEXT)");
    let prefix = format!("the SQLite database `{}`: the store `members`: ", database.path().display());
    for (table, message) in [
        (Table::new("members"), "there is no table `members`: correct its name, or create it"),
        (Table::new("sqlite_schema"), "there is no table `sqlite_schema`: correct its name, or create it"),
        (Table::new("member"), "the table `member` has no column `key`"),
        (Table::new("member").key("userid"), "the table `member` has no column `userid`; did you mean `user_id`?"),
        (
            Table::new("member").key("user_id").column("nmae"),
            "the table `member` has no column `nmae`; did you mean `name`?",
        ),
    ] {
        assert_eq!(refused(database.builder().table("members", table)), format!("{prefix}{message}"));
    }
    assert!(refused(database.builder().connections(0)).starts_with("a store with 0 connections"));
    let schema = Table::new("member").schema("public");
    assert!(refused(database.builder().table("members", schema)).contains("SQLite has no schemas"));
}

#[test]
fn what_is_no_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.db");
    assert!(refused(SqliteStore::builder(&path)).starts_with("cannot read"));
    assert!(!path.exists(), "nothing is created");
    assert!(refused(SqliteStore::builder(folder.path())).contains("is a directory, not a file"));
    fs::write(&path, "this is a text, and a long one: a database begins with other words").unwrap();
    assert!(refused(SqliteStore::builder(&path)).contains("give the path of a database"));
    for path in [":memory:", "file::memory:?mode=memory", "file:app.db?mode=rwc"] {
        assert!(refused(SqliteStore::builder(path)).starts_with("cannot read"), "{path}");
    }
}

#[test]
fn a_value_that_json_cannot_hold_names_its_column() {
    let database = Database::new(
        "CREATE TABLE t (id TEXT PRIMARY KEY, a, b BOOLEAN, j JSON);
         INSERT INTO t VALUES ('blob', x'00', 0, NULL), ('two', 1, 2, NULL), ('json', 1, 1, '{'), ('big', 9e999, 1, NULL),
             ('bytes', CAST(x'ff' AS TEXT), 1, NULL);
         CREATE TABLE rows (key TEXT, value);
         INSERT INTO rows VALUES ('good', '{\"a\": 1}'), ('text', 'x'), ('array', '[]'), ('null', NULL), ('blob', x'7b7d'),
             ('twice', '{}'), ('twice', '{}')",
    );
    let store = database.builder().table("t", Table::new("t").key("id")).open().unwrap();
    for (name, key, message) in [
        ("t", "blob", "the column `a` holds a BLOB, which JSON cannot: leave the column out, or store text"),
        ("t", "two", "the column `b` holds something other than 0 and 1, and is declared BOOLEAN"),
        ("t", "json", "the column `j` holds what is not JSON: EOF while parsing an object at line 1 column 1"),
        ("t", "big", "the column `a` holds an infinite number, which JSON cannot"),
        ("t", "bytes", "the column `a` holds text that is not UTF-8"),
        ("rows", "text", "the column `value` holds what is not JSON: expected value at line 1 column 1"),
        ("rows", "array", "the column `value` is not a JSON object"),
        ("rows", "null", "the column `value` is not a JSON object"),
        ("rows", "blob", "the column `value` holds a BLOB, which JSON cannot: leave the column out, or store text"),
    ] {
        let error = get(&store, name, key).unwrap_err().to_string();
        assert_eq!(error, format!("the row `{key}`: {message}"));
    }
    let error = get(&store, "rows", "twice").unwrap_err().to_string();
    assert_eq!(error, "2 rows have the key `twice`: make the key column unique");
    // SQLite itself would not say which row it is.
    let error = query(&store, "rows", json!({ "a": 1 })).unwrap_err().to_string();
    assert_eq!(error, "the row `text`: the column `value` holds what is not JSON: expected value at line 1 column 1");
}

#[test]
fn of_two_equal_keys_in_an_object_the_last_one_counts_for_both_reads() {
    let database = Database::new(
        "CREATE TABLE members (key TEXT PRIMARY KEY, value TEXT);
         INSERT INTO members VALUES ('u1', '{\"role\": \"guest\", \"role\": \"admin\"}')",
    );
    let store = database.store();
    assert_eq!(get(&store, "members", "u1").unwrap().unwrap()["role"], "admin");
    assert_eq!(query(&store, "members", json!({ "role": "admin" })).unwrap().len(), 1);
    assert!(query(&store, "members", json!({ "role": "guest" })).unwrap().is_empty());
}

#[test]
fn a_read_that_takes_too_long_fails_and_the_next_one_works() {
    let database = Database::new(ENDLESS);
    fill(&database.writer, &json!({ "members": { "u1": {} } }));
    let store = database.builder().connections(1).read_timeout(SHORT).open().unwrap();
    for _ in 0..3 {
        let error = query(&store, "endless", json!({})).unwrap_err().to_string();
        assert!(error.starts_with("no answer from `endless` within 100ms: "), "{error}");
    }
    // With one connection, this only comes through when SQLite has let go of the others.
    while get(&store, "members", "u1").is_err() {}
}

#[test]
fn a_read_that_nobody_waits_for_is_ended() {
    let database = Database::new(ENDLESS);
    fill(&database.writer, &json!({ "members": { "u1": {} } }));
    let store = database.builder().connections(1).read_timeout(LONG).open().unwrap();
    for _ in 0..3 {
        let read = store.get("endless", "k");
        // Whether it has begun by then cannot be seen from here, and both have to work.
        thread::sleep(SHORT);
        drop(read);
        assert!(get(&store, "members", "u1").unwrap().is_some());
    }
}

#[test]
fn a_writer_that_keeps_the_lock_is_not_waited_for_for_ever() {
    let database = Database::new("");
    fill(&database.writer, &json!({ "members": { "u1": {} } }));
    let store = database.builder().connections(1).read_timeout(SHORT).open().unwrap();
    database.writer.execute_batch("BEGIN EXCLUSIVE; DELETE FROM members").unwrap();
    assert!(get(&store, "members", "u1").is_err());
    database.writer.execute_batch("ROLLBACK").unwrap();
    while get(&store, "members", "u1").is_err() {}
}

#[test]
fn many_threads_read_while_one_writes() {
    for journal in ["DELETE", "WAL"] {
        let database = Database::new(&format!("PRAGMA journal_mode = {journal}; PRAGMA synchronous = OFF"));
        fill(&database.writer, &json!({ "pair": { "a": { "n": 0 }, "b": { "n": 0 } } }));
        database.writer.busy_timeout(LONG).unwrap();
        let store = Arc::new(database.builder().read_timeout(LONG).open().unwrap());
        let readers: Vec<_> = (0..8)
            .map(|_| {
                let store = store.clone();
                thread::spawn(move || {
                    for _ in 0..50 {
                        let rows = query(&store, "pair", json!({})).unwrap();
                        // Both change in one transaction.
                        assert_eq!(rows[0]["n"], rows[1]["n"]);
                    }
                })
            })
            .collect();
        for n in 1..=50 {
            let row = json!({ "n": n }).to_string();
            database.writer.execute("UPDATE pair SET value = ?1", [row]).unwrap();
        }
        for reader in readers {
            reader.join().unwrap();
        }
        assert_eq!(found(&store, "pair", json!({ "n": 50 }), "n"), [50, 50], "{journal}");
    }
}

#[test]
fn two_hundred_reads_at_once_all_come_back() {
    let database = Database::new("");
    let rows: serde_json::Map<_, _> = (0..200).map(|n| (n.to_string(), json!({ "n": n }))).collect();
    fill(&database.writer, &json!({ "rows": rows }));
    let store = database.builder().read_timeout(LONG).open().unwrap();
    let keys: Vec<_> = (0..200).map(|n| n.to_string()).collect();
    let reads: Vec<_> = keys.iter().map(|key| store.get("rows", key)).collect();
    for (n, read) in reads.into_iter().enumerate() {
        assert_eq!(wait(read).unwrap().unwrap()["n"], n);
    }
}

#[cfg(unix)]
#[test]
fn a_database_that_is_replaced_is_opened_again() {
    let database = Database::new("");
    fill(&database.writer, &json!({ "members": { "u1": { "role": "admin" } } }));
    let store = database.builder().connections(1).open().unwrap();
    assert_eq!(get(&store, "members", "u1").unwrap().unwrap()["role"], "admin");

    let next = Database::new("");
    fill(&next.writer, &json!({ "members": { "u1": { "role": "clerk" } } }));
    let beside = database.folder.path().join("next.db");
    fs::copy(next.path(), &beside).unwrap();
    fs::rename(&beside, database.path()).unwrap();
    assert_eq!(get(&store, "members", "u1").unwrap().unwrap()["role"], "clerk");

    fs::remove_file(database.path()).unwrap();
    assert!(get(&store, "members", "u1").unwrap_err().to_string().starts_with("cannot read"));
}

#[test]
fn a_table_that_changes_is_seen() {
    let database = Database::new("CREATE TABLE member (id TEXT PRIMARY KEY)");
    let store = database.builder().table("members", Table::new("member").key("id")).open().unwrap();
    database
        .writer
        .execute_batch("ALTER TABLE member ADD COLUMN role TEXT; INSERT INTO member VALUES ('u1', 'admin')")
        .unwrap();
    assert_eq!(query(&store, "members", json!({ "role": "admin" })).unwrap().len(), 1);
    database.writer.execute_batch("DROP TABLE member").unwrap();
    assert!(get(&store, "members", "u1").unwrap_err().to_string().starts_with("there is no table `member`"));
}

#[test]
fn nothing_is_written() {
    let database = Database::new("");
    fill(&database.writer, &json!({ "members": { "u1": {} } }));
    let bytes = |path: &Path| fs::read(path).unwrap();
    let before = bytes(&database.path());
    let store = database.store();
    let hostile = "members\"; DELETE FROM members; --";
    assert!(query(&store, hostile, json!({})).is_err());
    assert_eq!(get(&store, "members", "'; DELETE FROM members; --").unwrap(), None);
    let filter = json!({ "a') OR 1; DELETE FROM members; --": "'; DELETE FROM members; --" });
    assert!(query(&store, "members", filter).unwrap().is_empty());
    drop(store);
    assert_eq!(bytes(&database.path()), before);
    assert_eq!(fs::read_dir(database.folder.path()).unwrap().count(), 1);
}
