//! What a hook author reads about a manifest, for every way in which it can be wrong.

use crate::support::{Cases, MANIFEST, Tree};

fn said_about(manifest: impl AsRef<[u8]>) -> String {
    Tree::new().hook("hooks/guard", manifest).report()
}

#[test]
fn values_that_are_refused() {
    let mut cases = Cases::default();
    for manifest in [
        r#"[]"#,
        r#""guard""#,
        r#"{}"#,
        r#"{"name": 1, "points": ["preToolUse"]}"#,
        r#"{"name": "", "points": ["preToolUse"]}"#,
        r#"{"name": "..", "points": ["preToolUse"]}"#,
        r#"{"name": "acme/guard", "points": ["preToolUse"]}"#,
        r#"{"name": "acme\\guard", "points": ["preToolUse"]}"#,
        r#"{"name": "guard\u001b[2J", "points": ["preToolUse"]}"#,
        r#"{"name": null, "points": ["preToolUse"]}"#,
        r#"{"label": 1, "description": [], "points": ["preToolUse"]}"#,
        r#"{"points": "preToolUse"}"#,
        r#"{"points": []}"#,
        r#"{"points": ["preTool"]}"#,
        r#"{"points": ["banana", "tool: pre", 3]}"#,
        r#"{"points": ["preToolUse"], "capabilities": "network"}"#,
        r#"{"points": ["preToolUse"], "capabilities": ["reads_tool", "root"]}"#,
        r#"{"points": ["preToolUse"], "failPolicy": "close"}"#,
        r#"{"points": ["preToolUse"], "failPolicy": false}"#,
        r#"{"points": ["preToolUse"], "mode": "dry-run"}"#,
        r#"{"points": ["preToolUse"], "priority": "10"}"#,
        r#"{"points": ["preToolUse"], "config": ["a"]}"#,
        r#"{"points": ["preToolUse"], "timeoutMs": 0}"#,
        r#"{"points": ["preToolUse"], "timeoutMs": -5}"#,
        r#"{"points": ["preToolUse"], "timeoutMs": 1e12}"#,
        r#"{"points": ["preToolUse"], "timeoutMs": "1s"}"#,
        r#"{"points": ["preToolUse"], "match": ["store__*"]}"#,
        r#"{"points": ["preToolUse"], "match": {"toolname": ["store__*"]}}"#,
        r#"{"points": ["preToolUse"], "match": {"args": {}}}"#,
        r#"{"points": ["preToolUse"], "match": {"toolName": "store__*"}}"#,
        r#"{"points": ["preToolUse"], "match": {"toolName": []}}"#,
        r#"{"points": ["preToolUse"], "match": {"toolName": ["a[", "{b", "", 7]}}"#,
        r#"{"points": ["preToolUse"], "match": {"toolName": ["a"], "toolName": ["b"]}}"#,
        r#"{"points": ["preToolUse"], "points": ["preInput"]}"#,
    ] {
        cases.add(manifest, &said_about(manifest));
    }
    insta::assert_snapshot!(cases.finish());
}

#[test]
fn text_that_is_not_json() {
    let mut cases = Cases::default();
    for manifest in [
        "",
        " \n",
        "{",
        "{\n  \"points\": [\"preToolUse\"",
        "{\n  \"points\"",
        "{\n  \"points\":",
        "{\n  \"points\": [\"preTool",
        "{\n  \"name\": \"guard,\n  \"points\": [\"preToolUse\"]\n}",
        "{\n  \"points\": [\"preToolUse\"],\n}",
        "{\n  \"points\": [\"preToolUse\"]\n  \"name\": \"guard\"\n}",
        "{\n  \"points\": [\"preToolUse\" \"preInput\"]\n}",
        "{\n  // where\n  \"points\": [\"preToolUse\"]\n}",
        "{\n  points: [\"preToolUse\"]\n}",
        "{\n  'points': ['preToolUse']\n}",
        "{\"points\": [\"preToolUse\"], \"priority\": NaN}",
        "{\"points\": [\"preToolUse\"], \"priority\": 1e999}",
        "{\"points\": [\"preToolUse\"], \"priority\": +1}",
        "{\"points\": [\"preToolUse\"], \"priority\": undefined}",
        "{\"points\": [\"preToolUse\"], \"config\": {\"path\": \"C:\\temp\\q\"}}",
        "{\"points\": [\"preToolUse\"], \"config\": {\"a\": \"\\ud800\"}}",
        "{\"points\": [\"preToolUse\"], \"config\": {\"a\": \"\t\"}}",
        "{\"points\": [\"preToolUse\"]}\n{}",
        "\u{a0}{\"points\": [\"preToolUse\"]}",
        "module.exports = {}",
    ] {
        cases.add(&format!("{manifest:?}"), &said_about(manifest));
    }
    insta::assert_snapshot!(cases.finish());
}

#[test]
fn files_that_cannot_be_read() {
    let mut cases = Cases::default();
    let big = format!("{{\"points\": [\"preToolUse\"], \"pad\": \"{}\"}}", "x".repeat(10 << 20));
    cases.add("10 MiB", &said_about(big));
    cases.add("Latin-1", &said_about(b"{\n  \"label\": \"caf\xe9\"\n}"));
    cases.add("deeply nested", &said_about("[".repeat(100_000)));
    let tree = Tree::new().dir("hooks/guard/hook.json").file("hooks/guard/index.mjs", "");
    cases.add("hook.json is a directory", &tree.report());
    insta::assert_snapshot!(cases.finish());
}

#[test]
fn every_problem_is_reported_at_once() {
    let manifest = r#"{
  "name": "a/b",
  "points": ["preTool", "preInput", "preInput"],
  "capabilties": ["network"],
  "failPolicy": "sometimes",
  "config": { "a": 1, "a": 2 },
  "timeoutMs": 0,
  "owner": "me"
}"#;
    let tree = Tree::new().file("hooks/guard/hook.json", manifest);
    insta::assert_snapshot!(tree.report());
}

#[test]
fn lints_leave_the_hook_in_place() {
    let mut cases = Cases::default();
    for manifest in [
        r#"{"points": ["preToolUse"], "failpolicy": "open"}"#,
        r#"{"points": ["preToolUse"], "timeout": 100}"#,
        r#"{"points": ["preToolUse"], "owner": "me"}"#,
        r#"{"points": ["preToolUse", "preToolUse"], "capabilities": ["network", "network"]}"#,
        r#"{"points": ["preToolUse"], "config": {"list": [{"a": 1, "a": 2}]}}"#,
    ] {
        cases.add(manifest, &said_about(manifest));
    }
    insta::assert_snapshot!(cases.finish());
}

#[test]
fn a_file_with_thousands_of_problems_gives_a_short_report() {
    let keys: Vec<_> = (0..3_000).map(|key| format!("\"k{key}\": 1")).collect();
    let tree = Tree::new().hook("hooks/guard", format!("{{\"points\": [\"preToolUse\", 1], {}}}", keys.join(",")));
    let project = tree.load();
    assert_eq!(project.report.diagnostics.len(), 50);
    let first = project.report.diagnostics[0].to_string();
    assert!(first.contains("an entry of `points` is a number"), "{first}");
    let last = project.report.diagnostics[49].to_string();
    assert!(last.ends_with("(2951 more problems in this file are not shown)"), "{last}");
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_fine() {
    assert_eq!(said_about(format!("\u{feff}{MANIFEST}\r\n")), "loaded: [guard]");
    // Neither moves the columns of a message.
    assert_eq!(said_about("\u{feff}{\r\n\"é\": 1, \"points\": [1]}").lines().last(), Some("loaded: []"));
    insta::assert_snapshot!(said_about("\u{feff}{ \"points\": [\r\n\"é\", 1]}"));
}

#[test]
fn a_diagnostic_as_json() {
    let project =
        Tree::new().hook("hooks/guard", "{\n  \"name\": \"no-secrets\",\n  \"points\": [\"preTool\"]\n}").load();
    insta::assert_json_snapshot!(project.report);
}
