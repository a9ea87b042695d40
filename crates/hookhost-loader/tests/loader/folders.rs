//! Which folders are hooks, and what is said about the others.

use crate::support::{Cases, MANIFEST, Tree};
use hookhost_loader::{DiagnosticCode, Origin, Severity};

#[test]
fn a_project_without_hooks_is_fine() {
    let project = Tree::new().load();
    assert!(project.hooks.is_empty());
    assert!(project.report.diagnostics.is_empty());
    assert!(!project.report.has_findings());
}

#[test]
fn what_a_loaded_hook_consists_of() {
    let tree = Tree::new()
        .hook("hooks/b-folder", r#"{"name": "first", "points": ["preInput"], "config": {"a": 1, "b": {"x": 1}}}"#)
        .hook("hooks/c", MANIFEST)
        .hook("hooks/a", MANIFEST)
        .file(
            "amodal.json",
            r#"{"hooks": {"order": ["c", "first"], "disabled": ["a"], "config": {"first": {"b": {"y": 2}, "c": 3}}}, "name": "agent"}"#,
        );
    let project = tree.load();
    assert!(project.report.diagnostics.is_empty());
    assert_eq!(project.root, tree.path(""));
    let names: Vec<_> = project.hooks.iter().map(|hook| hook.name.as_str()).collect();
    assert_eq!(names, ["a", "first", "c"], "sorted by folder, disabled ones included");
    let [a, first, c] = &project.hooks[..] else {
        panic!("three hooks");
    };
    assert!(a.disabled && !first.disabled && !c.disabled);
    assert_eq!((a.rank, first.rank, c.rank), (None, Some(1), Some(0)));
    assert_eq!(first.origin, Origin::Local);
    assert_eq!(first.folder, tree.path("hooks/b-folder"));
    assert_eq!(first.handler, tree.path("hooks/b-folder/index.mjs"));
    assert_eq!(first.boundary, tree.path(""));
    assert_eq!(serde_json::to_string(&first.config).unwrap(), r#"{"a":1,"b":{"y":2},"c":3}"#, "merged one level deep");
    assert_eq!(
        serde_json::to_string(&first.manifest.config).unwrap(),
        r#"{"a":1,"b":{"x":1}}"#,
        "the manifest stays as it was written"
    );
}

#[test]
fn what_in_hooks_is_not_a_hook() {
    let tree = Tree::new()
        .file("hooks/README.md", "")
        .dir("hooks/.git")
        .dir("hooks/node_modules/x")
        .hook("hooks/guard", MANIFEST);
    assert_eq!(tree.report(), "loaded: [guard]");
}

#[test]
fn the_first_handler_that_exists_is_the_handler() {
    let tree = Tree::new()
        .file("hooks/js/hook.json", MANIFEST)
        .file("hooks/js/index.js", "")
        .file("hooks/js/index.ts", "")
        .file("hooks/ts/hook.json", MANIFEST)
        .file("hooks/ts/index.ts", "")
        .hook("hooks/mjs", MANIFEST)
        .file("hooks/mjs/index.js", "");
    let project = tree.load();
    let handlers: Vec<_> = project.hooks.iter().map(|hook| tree.below(&hook.handler)).collect();
    assert_eq!(handlers, ["[root]/hooks/js/index.js", "[root]/hooks/mjs/index.mjs", "[root]/hooks/ts/index.ts"]);
}

#[test]
fn folders_that_are_skipped() {
    let mut cases = Cases::default();
    let tree = Tree::new().dir("hooks/guard");
    cases.add("an empty folder", &tree.report());
    let tree = Tree::new().file("hooks/guard/index.mjs", "");
    cases.add("no hook.json", &tree.report());
    let tree = Tree::new().file("hooks/guard/index.mjs", "").file("hooks/guard/hook.jsonc", "");
    cases.add("hook.jsonc", &tree.report());
    let tree = Tree::new().file("hooks/guard/hook.json", MANIFEST);
    cases.add("no handler", &tree.report());
    let tree = Tree::new()
        .file("hooks/guard/hook.json", MANIFEST)
        .dir("hooks/guard/index.mjs")
        .file("hooks/guard/index.js", "");
    cases.add("index.mjs is a directory", &tree.report());
    let tree = Tree::new()
        .hook("hooks/a", r#"{"name": "guard", "points": ["preInput"]}"#)
        .hook("hooks/b", "{\n  \"name\": \"guard\",\n  \"points\": [\"preInput\"]\n}")
        .hook("hooks/guard", MANIFEST);
    cases.add("the same name", &tree.report());
    let tree = Tree::new().file("hooks", "");
    cases.add("hooks is a file", &tree.report());
    insta::assert_snapshot!(cases.finish());
}

#[test]
fn a_broken_folder_does_not_hide_the_others() {
    let tree = Tree::new().hook("hooks/a", MANIFEST).hook("hooks/b", "{").hook("hooks/c", MANIFEST);
    let project = tree.load();
    assert_eq!(project.hooks.len(), 2);
    assert!(project.report.has_findings());
    assert_eq!(project.report.with_code(DiagnosticCode::HookSkipped).count(), 1);
    assert_eq!(project.report.warnings().count(), 1);
}

#[test]
fn strict_judges_local_folders_only() {
    let tree = Tree::new()
        .hook("hooks/bad", "{")
        .file("hooks/empty/hook.json", MANIFEST)
        .hook("hooks/linted", r#"{"points": ["preInput"], "owner": "me"}"#)
        .hook("hooks/twin", r#"{"name": "linted", "points": ["preInput"]}"#)
        .hook("node_modules/pack/hooks/bad", "{")
        .file("amodal.json", r#"{"packages": ["pack", "absent"]}"#);
    let report = tree.load().report;
    let folders: Vec<_> = report
        .strict_errors()
        .map(|diagnostic| diagnostic.folder.clone().unwrap().to_string_lossy().replace('\\', "/"))
        .collect();
    assert_eq!(folders, ["hooks/bad", "hooks/empty"]);
    assert!(report.strict_errors().all(|diagnostic| diagnostic.severity == Severity::Error));
    assert_eq!(report.lints().count(), 1);
}

#[test]
fn lints_alone_are_no_findings() {
    let tree = Tree::new().hook("hooks/a", r#"{"points": ["preInput"], "owner": "me"}"#);
    let report = tree.load().report;
    assert_eq!(report.diagnostics.len(), 1);
    assert!(!report.has_findings());
}

#[cfg(unix)]
#[test]
fn symbolic_links() {
    let mut cases = Cases::default();
    let tree = Tree::new()
        .hook("shared/guard", MANIFEST)
        .link("hooks/linked", "../shared/guard")
        .file("shared/run.mjs", "")
        .file("hooks/handler/hook.json", MANIFEST)
        .link("hooks/handler/index.mjs", "../../shared/run.mjs");
    cases.add("a linked folder and a linked handler", &tree.report());
    let project = tree.load();
    assert_eq!(project.hooks[0].handler, tree.path("shared/run.mjs"));
    assert_eq!(project.hooks[1].folder, tree.path("shared/guard"));

    let tree = Tree::new().link("hooks/gone", "../nowhere").hook("hooks/here", MANIFEST);
    cases.add("a folder link that leads nowhere", &tree.report());
    let tree = Tree::new().link("hooks/loop", "loop").hook("hooks/here", MANIFEST);
    cases.add("a folder link to itself", &tree.report());
    let tree = Tree::new().link("hooks/up", "..").hook("hooks/here", MANIFEST);
    cases.add("a folder link to the project", &tree.report());
    let tree = Tree::new().link("hooks", "hooks");
    cases.add("hooks is a link to itself", &tree.report());
    let tree = Tree::new().link("hooks", "nowhere");
    cases.add("hooks is a link that leads nowhere", &tree.report());
    let tree = Tree::new().link("hooks/guard/hook.json", "nowhere.json").link("hooks/guard/index.mjs", "nowhere.mjs");
    cases.add("manifest and handler links that lead nowhere", &tree.report());
    let tree = Tree::new().link("hooks/guard/hook.json", "hook.json").link("hooks/guard/index.mjs", "index.mjs");
    cases.add("manifest and handler links to themselves", &tree.report());
    let tree = Tree::new().link("hooks/guard/hook.json", "/dev/null").link("hooks/guard/index.mjs", "/dev/null");
    cases.add("manifest and handler are a device", &tree.report());
    // The number of an error differs from system to system.
    insta::with_settings!({filters => vec![(r" \(os error \d+\)", "")]}, {
        insta::assert_snapshot!(cases.finish());
    });
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_linked_in_is_its_own_boundary() {
    let outside = Tree::new().hook("guard", MANIFEST);
    let target = outside.path("guard");
    let tree = Tree::new().link("hooks/guard", target.to_str().unwrap());
    let project = tree.load();
    assert_eq!(project.hooks[0].boundary, target);
    assert_eq!(project.hooks[0].folder, target);
}

#[cfg(unix)]
#[test]
fn a_folder_reached_twice_under_one_name_is_one_hook() {
    let tree =
        Tree::new().hook("hooks/guard", r#"{"name": "guard", "points": ["preInput"]}"#).link("hooks/same", "guard");
    assert_eq!(tree.report(), "loaded: [guard]");
}

#[cfg(target_os = "linux")]
#[test]
fn folder_names_that_cannot_be_hook_names() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let tree = Tree::new().hook("hooks/a\\b", MANIFEST).hook("hooks/tab\t", MANIFEST);
    for (name, manifest) in
        [(&b"caf\xe9"[..], MANIFEST), (&b"fine\xe9"[..], r#"{"name": "fine", "points": ["preInput"]}"#)]
    {
        let folder = tree.path("hooks").join(OsStr::from_bytes(name));
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("hook.json"), manifest).unwrap();
        std::fs::write(folder.join("index.mjs"), "").unwrap();
    }
    insta::assert_snapshot!(tree.report());
    // A path that is not Unicode must not break the report for programs either.
    serde_json::to_string(&tree.load().report).unwrap();
}
