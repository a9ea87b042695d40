//! JSON files: their shapes, and what becomes of a file that changes.

use std::fs;
use std::path::Path;

use hookhost_stores::{JsonStore, MAX_FILE_BYTES, OpenError};
use serde_json::json;

use crate::conformance::{conforms, stores};
use crate::support::{found, get, query};

fn opened(path: &Path) -> JsonStore {
    JsonStore::open(path).unwrap()
}

/// Why a file cannot be opened, without the folder that it is in.
fn refused(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stores.json");
    fs::write(&path, text).unwrap();
    match JsonStore::open(&path) {
        Ok(_) => panic!("{text} is accepted"),
        Err(error) => error.to_string().replace(&format!("{}/", folder.path().display()), ""),
    }
}

#[test]
fn one_file_conforms() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stores.json");
    fs::write(&path, stores().to_string()).unwrap();
    conforms(&opened(&path));
}

#[test]
fn a_folder_conforms() {
    let folder = tempfile::tempdir().unwrap();
    for (name, rows) in stores().as_object().unwrap() {
        fs::write(folder.path().join(format!("{name}.json")), rows.to_string()).unwrap();
    }
    fs::write(folder.path().join("README.md"), "not a store").unwrap();
    conforms(&opened(folder.path()));
}

#[test]
fn a_broken_file_is_refused_with_its_place() {
    assert_eq!(refused("{\n  \"members\": {,\n}"), "stores.json:2:15: this is not JSON: key must be a string");
    assert_eq!(refused(" \n"), "stores.json:1:1: the file is empty: write a JSON object");
    assert_eq!(
        refused(r#"{ "members": { "u1": 7 } }"#),
        "`stores.json`: `members.u1` is not an object: write { \"<store>\": { \"<key>\": { row } } }"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("members.json");
    fs::write(&path, b"{\n \"u1\": \"\xff\" }").unwrap();
    let error = JsonStore::open(folder.path()).err().unwrap();
    assert_eq!(error.to_string(), format!("{}:2:9: this is not UTF-8: save the file as UTF-8", path.display()));
    fs::write(&path, r#"{ "u1": [] }"#).unwrap();
    let error = JsonStore::open(folder.path()).err().unwrap().to_string();
    assert!(error.ends_with("`members.u1` is not an object: write { \"<key>\": { row } }"), "{error}");
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let absent = JsonStore::open(folder.path().join("absent.json"));
    assert!(matches!(absent.err(), Some(OpenError::Io { .. })));

    let large = folder.path().join("large.json");
    fs::File::create(&large).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
    assert!(
        matches!(JsonStore::open(&large).err(), Some(OpenError::TooLarge { size, .. }) if size == MAX_FILE_BYTES + 1)
    );
    fs::remove_file(&large).unwrap();

    fs::create_dir(folder.path().join("members.json")).unwrap();
    let error = JsonStore::open(folder.path()).err().unwrap();
    assert!(matches!(error, OpenError::NotAFile { found: "a directory", .. }), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("stores.json");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert!(matches!(JsonStore::open(&pipe).err(), Some(OpenError::NotAFile { .. })));
    assert!(matches!(JsonStore::open("/dev/zero").err(), Some(OpenError::NotAFile { .. })));

    // It may also become one later.
    fs::remove_file(&pipe).unwrap();
    fs::write(&pipe, r#"{ "members": {} }"#).unwrap();
    let store = opened(&pipe);
    fs::remove_file(&pipe).unwrap();
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let error = get(&store, "members", "u1").unwrap_err().to_string();
    assert!(error.ends_with("is a device or a pipe, not a file: put a file in its place"), "{error}");
}

#[test]
fn a_file_that_changes_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stores.json");
    let write = |role: &str| fs::write(&path, json!({ "members": { "u1": { "role": role } } }).to_string()).unwrap();
    write("admin");
    let store = opened(&path);
    // The same length each time, and as quickly as it goes.
    for role in ["clerk", "guest", "admin", "clerk"] {
        write(role);
        assert_eq!(get(&store, "members", "u1").unwrap().unwrap()["role"], role);
    }
}

/// What unpacks an archive sets the time of a file back.
#[cfg(unix)]
#[test]
fn a_file_that_changes_but_for_its_time_and_length_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("members.json");
    let write = |role: &str| {
        fs::write(&path, json!({ "u1": { "role": role } }).to_string()).unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000)).unwrap();
    };
    write("admin");
    let store = opened(folder.path());
    assert_eq!(get(&store, "members", "u1").unwrap().unwrap()["role"], "admin");
    // File systems keep even this time in steps.
    std::thread::sleep(std::time::Duration::from_millis(50));
    write("clerk");
    assert_eq!(get(&store, "members", "u1").unwrap().unwrap()["role"], "clerk");
}

#[test]
fn a_file_that_is_broken_later_fails_until_it_is_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stores.json");
    let whole = json!({ "members": { "u1": { "id": 1 }, "u2": { "id": 2 } } }).to_string();
    fs::write(&path, &whole).unwrap();
    let store = opened(&path);
    for broken in [&whole[..whole.len() / 2], "", "[]"] {
        fs::write(&path, broken).unwrap();
        for _ in 0..2 {
            let error = query(&store, "members", json!({})).unwrap_err().to_string();
            assert!(error.contains("stores.json"), "{error}");
        }
        fs::write(&path, &whole).unwrap();
        assert_eq!(found(&store, "members", json!({}), "id"), [1, 2]);
    }
    fs::remove_file(&path).unwrap();
    assert!(get(&store, "members", "u1").is_err());
    fs::write(&path, &whole).unwrap();
    assert!(get(&store, "members", "u1").unwrap().is_some());
}

#[test]
fn a_folder_gains_and_loses_stores() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path());
    let members = folder.path().join("members.json");
    assert_eq!(get(&store, "members", "u1").unwrap_err().to_string(), "there is no store of this name");
    fs::write(&members, r#"{ "u1": {} }"#).unwrap();
    assert!(get(&store, "members", "u1").unwrap().is_some());
    // Another file that is broken is no concern of this store.
    fs::write(folder.path().join("teams.json"), "{").unwrap();
    assert!(get(&store, "members", "u1").unwrap().is_some());
    assert!(get(&store, "teams", "t1").is_err());
    fs::remove_file(&members).unwrap();
    assert_eq!(get(&store, "members", "u1").unwrap_err().to_string(), "there is no store of this name");
}

#[test]
fn a_name_is_no_path() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("stores")).unwrap();
    fs::write(folder.path().join("secrets.json"), r#"{ "k": {} }"#).unwrap();
    let store = opened(&folder.path().join("stores"));
    let absolute = folder.path().join("secrets").display().to_string();
    for name in ["../secrets", "../secrets.json", &absolute, ".", "..", "/", "a/../../secrets"] {
        assert_eq!(get(&store, name, "k").unwrap_err().to_string(), "there is no store of this name", "{name}");
    }
}
