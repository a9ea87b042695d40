//! PostgreSQL, against a server that each test starts.

use std::thread;
use std::time::Duration;

use hookhost_contract::Store;
use hookhost_stores::{PostgresStore, PostgresStoreBuilder, Table};
use serde_json::{Value, json};

use crate::conformance::{conforms, stores};
use crate::server::{Admin, Server};
use crate::support::{found, get, query, wait};

const SHORT: Duration = Duration::from_millis(300);
/// Longer than a test may take.
const LONG: Duration = Duration::from_secs(3600);

fn builder(server: &Server) -> PostgresStoreBuilder {
    PostgresStore::builder(server.address()).read_timeout(LONG)
}

fn store(server: &Server) -> PostgresStore {
    builder(server).open().unwrap()
}

fn members(admin: &Admin) {
    admin.fill(&json!({ "members": { "u1": { "role": "admin" } } }));
}

/// What a server's sessions are busy with, apart from the one that asks.
const NOTHING_RUNS: &str =
    "NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'hookhost' AND state = 'active')";
const SOMETHING_RUNS: &str =
    "EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'hookhost' AND state = 'active')";

/// Never comes to its first row.
const SLOW: &str = "CREATE VIEW slow AS SELECT 'k'::text AS key, '{}'::jsonb AS value FROM pg_sleep(3600)";

#[test]
fn it_conforms() {
    let Some(server) = Server::start() else { return };
    let admin = server.admin();
    admin.fill(&stores());
    conforms(&store(&server));
    admin.run("CREATE INDEX ON members USING gin (value jsonb_path_ops)");
    conforms(&store(&server));
    // The same as text that the server knows nothing about.
    for kind in ["json", "text"] {
        for name in stores().as_object().unwrap().keys() {
            admin.run(&format!("CREATE SCHEMA IF NOT EXISTS as_{kind}; CREATE TABLE as_{kind}.\"{name}\" AS SELECT key, value::{kind} FROM public.\"{name}\""));
        }
        conforms(&builder(&server).schema(format!("as_{kind}")).open().unwrap());
    }
}

#[test]
fn a_table_of_another_layout_is_a_store() {
    let Some(server) = Server::start() else { return };
    let admin = server.admin();
    admin.run(
        "CREATE TYPE rank AS ENUM ('clerk', 'admin');
         CREATE DOMAIN points AS numeric CHECK (value >= 0);
         CREATE SCHEMA staff;
         CREATE TABLE staff.member (
             user_id int PRIMARY KEY, name varchar(20), code char(4), score double precision, points points, active boolean,
             role rank, id uuid, since date, seen timestamptz, meta jsonb, doc json, tags text[], photo bytea, small real);
         INSERT INTO staff.member VALUES
             (1, 'Ann', 'a', 1, 10.50, true, 'admin', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '2026-12-01',
              '2026-12-01T06:00:00Z', '{\"a\": 1}', '{\"b\": 1.0}', '{x,y}', '\\x00ff', 0.1),
             (2, 'B''ob', 'bbbb', 0.1, 3, false, 'clerk', NULL, NULL, NULL, 'null', NULL, '{}', NULL, NULL),
             (3, NULL, NULL, 'NaN', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
    );
    let members = || Table::new("member").schema("staff");
    let store = builder(&server)
        .table("members", members().key("user_id"))
        .table("by_name", members().key("name").column("name").column_as("user_id", "id"))
        .table("by_code", members().key("code").column("user_id"))
        .table("by_id", members().key("id").column("user_id"))
        .table("by_rank", members().key("role").column("user_id"))
        .table("by_day", members().key("since").column("user_id"))
        .table("by_tags", members().key("tags").column("user_id"))
        .open()
        .unwrap();
    wait(store.check()).unwrap();
    let ann = get(&store, "members", "1").unwrap().unwrap();
    assert_eq!(
        Value::Object(ann.clone()),
        json!({
            "user_id": 1, "name": "Ann", "code": "a   ", "score": 1, "points": 10.5, "active": true, "role": "admin",
            "id": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "since": "2026-12-01", "seen": ann["seen"],
            "meta": { "a": 1 }, "doc": { "b": 1.0 }, "tags": ["x", "y"], "photo": "\\x00ff", "small": 0.1,
        })
    );
    for (filter, ids) in [
        (json!({}), json!([1, 2, 3])),
        (json!({ "user_id": 2.0 }), json!([2])),
        (json!({ "user_id": 1.5 }), json!([])),
        (json!({ "user_id": "1" }), json!([])),
        (json!({ "user_id": 30000000000_i64 }), json!([])),
        (json!({ "name": "B'ob" }), json!([2])),
        (json!({ "name": null }), json!([3])),
        (json!({ "name": "Ann\0" }), json!([])),
        (json!({ "code": "a   " }), json!([1])),
        (json!({ "code": "a" }), json!([])),
        (json!({ "score": 1 }), json!([1])),
        (json!({ "score": 0.1 }), json!([2])),
        (json!({ "score": "NaN" }), json!([3])),
        (json!({ "points": 10.5 }), json!([1])),
        (json!({ "points": 3.0 }), json!([2])),
        (json!({ "active": true }), json!([1])),
        (json!({ "active": "true" }), json!([])),
        (json!({ "role": "admin" }), json!([1])),
        // Not one of its words, which the server refuses to compare.
        (json!({ "role": "boss" }), json!([])),
        (json!({ "id": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" }), json!([1])),
        (json!({ "id": "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11" }), json!([])),
        (json!({ "id": "nobody" }), json!([])),
        (json!({ "since": "2026-12-01" }), json!([1])),
        (json!({ "since": "1 December 2026" }), json!([])),
        (json!({ "since": "no day" }), json!([])),
        (json!({ "seen": ann["seen"] }), json!([1])),
        (json!({ "meta": { "a": 1.0 } }), json!([1])),
        (json!({ "meta": null }), json!([2, 3])),
        (json!({ "doc": { "b": 1 } }), json!([1])),
        (json!({ "tags": ["x", "y"] }), json!([1])),
        (json!({ "tags": [] }), json!([2])),
        (json!({ "small": 0.1 }), json!([1])),
        (json!({ "photo": "\\x00ff" }), json!([1])),
        (json!({ "absent": null }), json!([])),
        (json!({ "role": "admin", "user_id": 2 }), json!([])),
    ] {
        let mut ids_found = found(&store, "members", filter.clone(), "user_id");
        ids_found.sort_by_key(Value::to_string);
        assert_eq!(json!(ids_found), ids, "{filter}");
    }
    for (name, key, id) in [
        ("members", "2", Some(2)),
        ("members", "02", None),
        ("members", "Ann", None),
        ("members", "30000000000", None),
        ("by_code", "a", Some(1)),
        ("by_id", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", Some(1)),
        ("by_id", "nobody", None),
        ("by_rank", "clerk", Some(2)),
        ("by_rank", "boss", None),
        ("by_day", "2026-12-01", Some(1)),
        ("by_day", "no day", None),
        ("by_tags", "{x,y}", Some(1)),
    ] {
        let id_found = get(&store, name, key).unwrap().map(|row| row["user_id"].clone());
        assert_eq!(id_found, id.map(Value::from), "{name} {key}");
    }
    assert_eq!(Value::Object(get(&store, "by_name", "B'ob").unwrap().unwrap()), json!({ "name": "B'ob", "id": 2 }));
    assert!(query(&store, "by_name", json!({ "score": 1 })).unwrap().is_empty());

    // A column that comes later is seen by the next read that asks about it.
    admin.run("ALTER TABLE staff.member ADD COLUMN floor int; UPDATE staff.member SET floor = user_id");
    assert_eq!(found(&store, "members", json!({ "floor": 2 }), "user_id"), [2]);
    // One that goes, too.
    admin.run("ALTER TABLE staff.member DROP COLUMN floor, DROP COLUMN photo");
    assert!(query(&store, "members", json!({ "floor": 2 })).unwrap().is_empty());
    assert!(get(&store, "members", "1").unwrap().is_some());
}

#[test]
fn only_what_looks_like_a_store_and_may_be_read_is_one() {
    let Some(server) = Server::start() else { return };
    let admin = server.admin();
    members(&admin);
    admin.run(
        "CREATE TABLE accounts (id text, value jsonb); CREATE TABLE numbers (key text, value int);
         CREATE SCHEMA hidden; CREATE TABLE hidden.secrets (key text, value jsonb);
         CREATE TABLE mine (key text, value jsonb); CREATE ROLE hooks LOGIN; GRANT SELECT ON members TO hooks;
         CREATE TABLE twice (key text, value jsonb); INSERT INTO twice VALUES ('k', '{}'), ('k', '{}'), ('a', '[]');
         GRANT SELECT ON twice TO hooks",
    );
    let store = PostgresStore::open(server.address().replace("user=hookhost", "user=hooks")).unwrap();
    assert!(get(&store, "members", "u1").unwrap().is_some());
    for name in ["accounts", "numbers", "secrets", "hidden.secrets", "members_pkey"] {
        let error = get(&store, name, "k").unwrap_err().to_string();
        assert!(error.starts_with("there is no store of this name"), "{name}: {error}");
    }
    let error = get(&store, "mine", "k").unwrap_err().to_string();
    assert_eq!(
        error,
        "PostgreSQL says: permission denied for table mine (42501); \
         grant SELECT on the table to the user of the connection"
    );
    assert_eq!(
        get(&store, "twice", "k").unwrap_err().to_string(),
        "2 rows have the key `k`: make the key column unique"
    );
    assert_eq!(
        query(&store, "twice", json!({})).unwrap_err().to_string(),
        "the row `a`: the column `value` is not a JSON object"
    );

    for (table, message) in [
        (Table::new("accounts"), "the store `s`: the table `accounts` has no column `key`"),
        (
            Table::new("accounts").key("idd"),
            "the store `s`: the table `accounts` has no column `idd`; did you mean `id`?",
        ),
        (
            Table::new("pg_authid").key("rolname"),
            "the store `s`: there is no table `pg_authid`: \
            correct its name or its schema, or create it",
        ),
        (
            Table::new("pg_authid").schema("pg_catalog").key("rolname"),
            "the store `s`: there is no table `pg_authid`: \
            correct its name or its schema, or create it",
        ),
    ] {
        let store = builder(&server).table("s", table).only_mapped_tables().open().unwrap();
        assert_eq!(wait(store.check()).unwrap_err().to_string(), message);
        assert!(get(&store, "members", "u1").unwrap_err().to_string().starts_with("there is no store"));
    }
}

#[test]
fn a_slow_read_fails_and_the_next_one_works() {
    let Some(server) = Server::start() else { return };
    let admin = server.admin();
    members(&admin);
    admin.run(SLOW);
    let store = builder(&server).connections(1).read_timeout(SHORT).open().unwrap();
    for _ in 0..3 {
        let error = query(&store, "slow", json!({})).unwrap_err().to_string();
        assert!(error.starts_with("no answer from `slow` within 300ms: "), "{error}");
    }
    admin.wait_until(NOTHING_RUNS);
    while get(&store, "members", "u1").is_err() {}

    // Somebody changes the table meanwhile.
    admin.run("BEGIN; LOCK TABLE members IN ACCESS EXCLUSIVE MODE");
    assert!(get(&store, "members", "u1").unwrap_err().to_string().starts_with("no answer from `members`"));
    admin.run("ROLLBACK");
    while get(&store, "members", "u1").is_err() {}
}

#[test]
fn the_server_itself_stops_what_is_too_slow() {
    let Some(server) = Server::start() else { return };
    let admin = server.admin();
    admin
        .run("CREATE VIEW settings AS SELECT name AS key, jsonb_build_object('is', setting) AS value FROM pg_settings");
    let store = builder(&server).read_timeout(Duration::from_millis(4321)).open().unwrap();
    for (name, is) in [
        ("statement_timeout", "4321"),
        ("default_transaction_read_only", "on"),
        ("transaction_read_only", "on"),
        ("application_name", "hookhost"),
    ] {
        assert_eq!(get(&store, "settings", name).unwrap().unwrap()["is"], is, "{name}");
    }
}

#[test]
fn a_read_that_nobody_waits_for_is_ended() {
    let Some(server) = Server::start() else { return };
    let admin = server.admin();
    members(&admin);
    admin.run(SLOW);
    let store = builder(&server).connections(1).open().unwrap();
    for _ in 0..3 {
        let read = store.get("slow", "k");
        admin.wait_until(SOMETHING_RUNS);
        drop(read);
        admin.wait_until(NOTHING_RUNS);
        assert!(get(&store, "members", "u1").unwrap().is_some());
    }
    // With the store itself goes all that it had.
    drop(store);
    admin.wait_until("NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'hookhost')");
}

#[test]
fn two_hundred_reads_at_once_share_a_few_connections() {
    let Some(server) = Server::start() else { return };
    let admin = server.admin();
    let rows: serde_json::Map<_, _> = (0..200).map(|n| (n.to_string(), json!({ "n": n }))).collect();
    admin.fill(&json!({ "rows": rows }));
    let store = builder(&server).connections(3).open().unwrap();
    let keys: Vec<_> = (0..200).map(|n| n.to_string()).collect();
    for _ in 0..3 {
        let reads: Vec<_> = keys.iter().map(|key| store.get("rows", key)).collect();
        for (n, read) in reads.into_iter().enumerate() {
            assert_eq!(wait(read).unwrap().unwrap()["n"], n);
        }
    }
    admin.wait_until("(SELECT count(*) FROM pg_stat_activity WHERE application_name = 'hookhost') = 3");
    // From many threads as well.
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for key in &keys {
                    assert!(get(&store, "rows", key).unwrap().is_some());
                }
            });
        }
    });
}

#[test]
fn a_restart_of_the_server_is_not_noticed() {
    let Some(mut server) = Server::start() else { return };
    members(&server.admin());
    let store = store(&server);
    let read_some = || {
        let reads: Vec<_> = (0..8).map(|_| store.get("members", "u1")).collect();
        for read in reads {
            assert!(wait(read).unwrap().is_some());
        }
    };
    read_some();
    for _ in 0..2 {
        server.stop();
        server.run();
        read_some();
    }
    // Or only the sessions end.
    server.admin().run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hookhost'");
    read_some();
}

#[test]
fn a_server_that_is_away_is_an_error_until_it_is_back() {
    let Some(mut server) = Server::start() else { return };
    members(&server.admin());
    let store = store(&server);
    assert!(get(&store, "members", "u1").unwrap().is_some());
    server.stop();
    for _ in 0..2 {
        let error = get(&store, "members", "u1").unwrap_err().to_string();
        assert!(error.starts_with("cannot connect to PostgreSQL: "), "{error}");
    }
    server.run();
    assert!(get(&store, "members", "u1").unwrap().is_some());
}

#[test]
fn a_server_that_says_nothing_is_an_error_soon() {
    // It accepts, and that is all.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("host=127.0.0.1 port={} user=hookhost", silent.local_addr().unwrap().port());
    let store = PostgresStore::builder(address).read_timeout(LONG).connect_timeout(SHORT).open().unwrap();
    let error = get(&store, "members", "u1").unwrap_err().to_string();
    assert!(error.starts_with("cannot connect to PostgreSQL: "), "{error}");
    assert!(wait(store.check()).is_err());
}

#[test]
fn nothing_is_written() {
    let Some(server) = Server::start() else { return };
    let admin = server.admin();
    members(&admin);
    admin.run(
        "CREATE TABLE log (line text);
         CREATE FUNCTION write() RETURNS jsonb LANGUAGE sql AS 'INSERT INTO log VALUES (''x'') RETURNING ''{}''::jsonb';
         CREATE VIEW writes AS SELECT 'k'::text AS key, write() AS value",
    );
    let store = store(&server);
    for _ in 0..2 {
        let error = get(&store, "writes", "k").unwrap_err().to_string();
        assert_eq!(error, "PostgreSQL says: cannot execute INSERT in a read-only transaction (25006)");
    }
    assert!(query(&store, "members\"; DELETE FROM members; --", json!({})).is_err());
    assert_eq!(get(&store, "members", "'; DELETE FROM members; --").unwrap(), None);
    let filter = json!({ "'; DELETE FROM members; --": "'; DELETE FROM members; --" });
    assert!(query(&store, "members", filter).unwrap().is_empty());
    admin.wait_until("(SELECT count(*) FROM members) = 1 AND NOT EXISTS (SELECT FROM log)");
}

#[test]
fn what_a_view_cannot_compute_is_no_missing_row() {
    let Some(server) = Server::start() else { return };
    let admin = server.admin();
    admin.run(
        "CREATE TABLE odd (n int, t text); INSERT INTO odd VALUES (0, 'x');
         CREATE VIEW divided AS SELECT n::text AS key, jsonb_build_object('n', 1 / n) AS value FROM odd;
         CREATE VIEW parsed AS SELECT t AS key, t::int AS n FROM odd",
    );
    let store = builder(&server).table("parsed", Table::new("parsed")).open().unwrap();
    for read in [get(&store, "divided", "0").err(), query(&store, "divided", json!({ "n": 1 })).err()] {
        assert_eq!(read.unwrap().to_string(), "PostgreSQL says: division by zero (22012)");
    }
    for read in [get(&store, "parsed", "x").err(), query(&store, "parsed", json!({ "n": 1 })).err()] {
        let message = "PostgreSQL says: invalid input syntax for type integer: \"x\" (22P02)";
        assert_eq!(read.unwrap().to_string(), message);
    }
}
