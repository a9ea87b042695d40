//! What `hookhost run` says when its input cannot be used. Each of these is exit code 2, and none reaches a hook.

use crate::support::{Folder, HANDLER, MANIFEST, Ran, hookhost, hookhost_reading};

/// A misunderstanding says so on stderr alone.
fn refused(ran: Ran) -> String {
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(ran.stdout.is_empty(), "{ran}");
    assert!(!ran.stderr.contains("panicked"), "{ran}");
    format!("$ hookhost {}\n{}", ran.line(), ran.stderr)
}

/// The same rows in each form that `--store` takes.
#[test]
fn a_store_is_a_file_a_folder_or_a_database() {
    let guard = "export default {
      async run(_point, _payload, { store }) {
        const found = await store.query('members', { role: 'admin' });
        return { action: 'block', reason: `${(await store.get('members', 'u1')).role} of ${found.length}` };
      },
    };";
    let rows = r#"{"u1": {"role": "admin"}, "u2": {"role": "clerk"}}"#;
    let folder = Folder::new()
        .hook("guard", r#"{"points": ["preInput"], "capabilities": ["store:read"]}"#, guard)
        .file("payload.json", r#"{"text": "hello"}"#)
        .file("stores.json", format!(r#"{{"members": {rows}}}"#))
        .file("stores/members.json", rows);
    let database = rusqlite::Connection::open(folder.path("stores.db")).unwrap();
    database
        .execute_batch(
            r#"CREATE TABLE members (key TEXT PRIMARY KEY, value JSON NOT NULL);
            INSERT INTO members VALUES ('u1', '{"role": "admin"}'), ('u2', '{"role": "clerk"}');"#,
        )
        .unwrap();
    for store in ["stores.json", "stores", "stores.db"] {
        let ran = folder
            .hookhost(&format!("run preInput --project agent --payload payload.json --store {store} --format json"));
        assert_eq!(ran.json()["reason"], "admin of 1", "{ran}");
    }
}

#[test]
fn points() {
    let lines =
        ["preTool", "pretooluse", "banana", "tool:pre", ":", ""].map(|point| format!("run {point} --payload -"));
    insta::assert_snapshot!(lines.map(|line| refused(hookhost_reading(&line, "{}"))).join("\n"));
}

#[test]
fn payloads() {
    let inputs: [(&str, &[u8]); 7] = [
        ("nothing", b""),
        ("no JSON", b"hello"),
        ("JSON that ends too early", b"{\n  \"text\": \"hello\",\n"),
        ("a list", b"[1]"),
        ("null", b"null"),
        ("two values", b"{} {}"),
        ("not UTF-8", b"{\"text\": \"gr\xfcn\"}"),
    ];
    let said = inputs
        .map(|(what, bytes)| format!("# {what}\n{}", refused(hookhost_reading("run preInput --payload -", bytes))));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn payload_files() {
    let folder = Folder::new().dir("folder").file("bad.json", "{\n  'text': 1\n}");
    let lines = ["nowhere.json", "folder", "bad.json"].map(|file| format!("run preInput --payload {file}"));
    insta::assert_snapshot!(lines.map(|line| refused(folder.hookhost(&line))).join("\n"));
}

#[test]
fn the_example_in_a_refusal_fits_the_point() {
    let points = ["preInput", "preToolUse", "postToolUse", "preOutput", "postTurn"];
    let said = points.map(|point| refused(hookhost_reading(&format!("run {point} --payload -"), "[]")));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_payload_with_a_byte_order_mark_is_fine() {
    let ran = hookhost_reading("run preInput --payload - --format json", "\u{feff}{\"text\": \"hello\"}");
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(ran.json()["input"]["text"], "hello");
}

#[test]
fn hooks() {
    let lines = [
        "run preToolUse --payload fixtures/payloads/transfer.json --hook spend-aproval",
        "run preToolUse --payload fixtures/payloads/transfer.json --hook nobody",
        "run preInput --payload fixtures/payloads/input-with-pii.json --hook path-guard",
        "run preInput --payload fixtures/payloads/input-with-pii.json --hook night-shift --project fixtures/project",
    ];
    insta::assert_snapshot!(lines.map(|line| refused(hookhost(line))).join("\n"));
}

#[test]
fn a_hook_where_there_are_none() {
    let folder = Folder::new().dir("agent");
    insta::assert_snapshot!(refused(
        folder.hookhost_reading("run preInput --payload - --hook guard --project agent", "{}")
    ));
}

#[test]
fn a_hook_that_was_skipped() {
    let folder = Folder::new().hook("guard", r#"{"points": []}"#, HANDLER).hook("other", MANIFEST, HANDLER);
    insta::assert_snapshot!(refused(
        folder.hookhost_reading("run preInput --payload - --hook guard --project agent", "{}")
    ));
}

#[test]
fn flags() {
    let flags = [
        "--caller bob",
        "--caller name=bob",
        "--caller =bob",
        "--context locale",
        "--context =de",
        "--format yaml",
        "--log loud",
    ];
    insta::assert_snapshot!(
        flags.map(|flag| refused(hookhost(&format!("run preInput --payload - {flag}")))).join("\n")
    );
}

#[test]
fn the_payload_has_to_be_given() {
    insta::assert_snapshot!(refused(hookhost("run preInput")));
}

#[test]
fn stores() {
    let folder = Folder::new()
        .hook("guard", MANIFEST, HANDLER)
        .file("list.json", "[]")
        .file("rows.json", r#"{"members": [{"id": "u1"}]}"#)
        .file("row.json", r#"{"members": {"u1": "admin"}}"#)
        .file("bad.json", "{");
    let lines = ["list", "rows", "row", "bad", "nowhere"]
        .map(|store| format!("run preInput --payload - --project agent --store {store}.json"));
    insta::assert_snapshot!(lines.map(|line| refused(folder.hookhost_reading(&line, "{}"))).join("\n"));
}
