//! What is said about `amodal.json` and about the project as a whole.

use crate::support::{Cases, MANIFEST, Tree};

fn refused(settings: impl AsRef<[u8]>) -> String {
    Tree::new().file("amodal.json", settings).error()
}

#[test]
fn projects_that_cannot_be_opened() {
    let mut cases = Cases::default();
    cases.add("nothing there", &Tree::new().error_at("agent"));
    cases.add("a file", &Tree::new().file("agent", "").error_at("agent"));
    cases.add("amodal.json is a directory", &Tree::new().dir("amodal.json").error());
    cases.add("amodal.json is too large", &refused(" ".repeat((1 << 20) + 1)));
    cases.add("amodal.json is not UTF-8", &refused(b"{\n \"name\": \"caf\xe9\"}"));
    insta::assert_snapshot!(cases.finish());
}

#[cfg(unix)]
#[test]
fn projects_that_cannot_be_opened_on_unix() {
    let mut cases = Cases::default();
    let below = Tree::new().file("agent", "").error_at("agent/project");
    cases.add("below a file", &below);
    cases.add("a link to itself", &Tree::new().link("agent", "agent").error_at("agent"));
    cases.add("amodal.json is a link that leads nowhere", &Tree::new().link("amodal.json", "nowhere").error());
    cases.add("amodal.json is a link to itself", &Tree::new().link("amodal.json", "amodal.json").error());
    cases.add("amodal.json is a device", &Tree::new().link("amodal.json", "/dev/null").error());
    // The number of an error differs from system to system.
    insta::with_settings!({filters => vec![(r" \(os error \d+\)", "")]}, {
        insta::assert_snapshot!(cases.finish());
    });
}

#[test]
fn settings_that_are_refused() {
    let mut cases = Cases::default();
    for settings in [
        "",
        "{\n  \"hooks\": {\n    \"order\": [\"a\",]\n  }\n}",
        "{\n  \"hooks\": {",
        "[]",
        r#"{"hooks": []}"#,
        r#"{"hooks": null}"#,
        r#"{"hooks": {"order": "guard"}}"#,
        r#"{"hooks": {"order": ["guard", 1]}}"#,
        r#"{"hooks": {"disabled": {"guard": true}}}"#,
        r#"{"hooks": {"config": ["guard"]}}"#,
        r#"{"hooks": {"config": {"guard": true}}}"#,
        r#"{"packages": "@acme/pack"}"#,
        r#"{"packages": {"@acme/pack": "1.0.0"}}"#,
        r#"{"packages": [1]}"#,
        r#"{"packages": [{"use": ["hooks.a"]}]}"#,
        r#"{"packages": [{"package": 1}]}"#,
        r#"{"packages": [{"package": "@acme/pack", "use": "hooks.a"}]}"#,
        r#"{"packages": [{"package": "@acme/pack", "use": [null]}]}"#,
    ] {
        cases.add(settings, &refused(settings));
    }
    insta::assert_snapshot!(cases.finish());
}

#[test]
fn names_that_match_nothing() {
    let tree = Tree::new()
        .hook("hooks/pii-redactor", MANIFEST)
        .hook("hooks/folder", r#"{"name": "tool-guard", "points": ["preInput"]}"#)
        .hook("hooks/broken", "{")
        .file(
            "amodal.json",
            r#"{
  "hooks": {
    "order": ["pii-redacter", "folder", "broken"],
    "disabled": ["audit"],
    "config": { "toolguard": {}, "tool-guard": {} }
  }
}"#,
        );
    insta::assert_snapshot!(tree.report());
}

#[test]
fn names_in_a_project_without_hooks() {
    let tree = Tree::new().file("amodal.json", r#"{"hooks": {"order": ["guard"]}}"#);
    insta::assert_snapshot!(tree.report());
}

#[test]
fn slips_that_are_pointed_out() {
    let tree = Tree::new().hook("hooks/a", MANIFEST).file(
        "amodal.json",
        r#"{
  "hooks": { "order": ["b"] },
  "name": "agent", "name": "twice but not ours",
  "hooks": {
    "order": ["a", "a"],
    "disable": ["a"],
    "retries": 3,
    "config": { "a": { "k": 1 }, "a": { "k": 2 } }
  },
  "packages": [{ "package": "@acme/pack", "uses": ["hooks.a"], "use": ["tools.x"], "version": "1" }]
}"#,
    );
    insta::assert_snapshot!(tree.report());
    assert_eq!(tree.load().hooks[0].config["k"], 2, "the last one counts");
    assert_eq!(tree.load().settings.hooks.order, ["a", "a"]);
}

#[test]
fn a_byte_order_mark_and_an_empty_object_are_fine() {
    for settings in ["{}", "\u{feff}{}", "{\"hooks\": {}, \"packages\": []}"] {
        let report = Tree::new().file("amodal.json", settings).report();
        assert_eq!(report, "loaded: []", "{settings:?}");
    }
}
