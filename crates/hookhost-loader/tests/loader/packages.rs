//! Hooks from installed packages, in the layouts that package managers make.

use crate::support::{MANIFEST, Tree};
use hookhost_loader::Origin;

const PII: &str = r#"{"name": "pii-redactor", "points": ["preInput"]}"#;

#[test]
fn npm_layout_scoped_and_not() {
    let tree = Tree::new()
        .hook("hooks/local", MANIFEST)
        .hook("node_modules/@acme/pack/hooks/pii", PII)
        .hook("node_modules/plain/hooks/audit", MANIFEST)
        .file("amodal.json", r#"{"packages": ["plain", "@acme/pack"]}"#);
    assert_eq!(tree.report(), "loaded: [local, audit, pii-redactor]");
    let project = tree.load();
    let pii = &project.hooks[2];
    assert_eq!(pii.origin, Origin::Package("@acme/pack".to_owned()));
    assert_eq!(pii.origin.package(), Some("@acme/pack"));
    assert_eq!(pii.folder, tree.path("node_modules/@acme/pack/hooks/pii"));
    assert_eq!(pii.boundary, tree.path("node_modules/@acme/pack"));
}

#[cfg(unix)]
#[test]
fn pnpm_layout() {
    let store = "node_modules/.pnpm/@acme+pack@1.0.0/node_modules/@acme/pack";
    let tree = Tree::new()
        .hook(&format!("{store}/hooks/pii"), PII)
        .hook(&format!("{store}/hooks/bad"), "{")
        .link("node_modules/@acme/pack", "../.pnpm/@acme+pack@1.0.0/node_modules/@acme/pack")
        .file("amodal.json", r#"{"packages": ["@acme/pack"]}"#);
    let project = tree.load();
    let pii = &project.hooks[0];
    // The real folder: that is where the package's own dependencies are found.
    assert_eq!(pii.folder, tree.path(&format!("{store}/hooks/pii")));
    assert_eq!(pii.handler, tree.path(&format!("{store}/hooks/pii/index.mjs")));
    assert_eq!(pii.boundary, tree.path(store));
    // People know the package by its short path.
    insta::assert_snapshot!(tree.report());
}

#[test]
fn a_package_can_be_installed_above_the_project() {
    let tree = Tree::new()
        .hook("node_modules/@acme/pack/hooks/outer", MANIFEST)
        .hook("node_modules/near/hooks/outer", MANIFEST)
        .hook("apps/agent/node_modules/near/hooks/inner", MANIFEST)
        .file("apps/agent/amodal.json", r#"{"packages": ["@acme/pack", "near"]}"#);
    assert_eq!(tree.report_at("apps/agent"), "loaded: [outer, inner]");
    let tree = tree.hook("node_modules/@acme/pack/hooks/bad", "{");
    insta::assert_snapshot!(tree.report_at("apps/agent"));
}

#[test]
fn what_use_selects() {
    let with = |packages: &str| {
        Tree::new()
            .hook("node_modules/pack/hooks/pii", PII)
            .hook("node_modules/pack/hooks/audit", MANIFEST)
            .hook("node_modules/pack/hooks/broken", "{")
            .file("amodal.json", format!("{{\"packages\": [{packages}]}}"))
            .report()
    };
    assert_eq!(with(r#"{"package": "pack", "use": ["hooks.pii-redactor"]}"#), "loaded: [pii-redactor]");
    assert_eq!(with(r#"{"package": "pack", "use": ["hooks.audit", "tools.x"]}"#), "loaded: [audit]");
    assert_eq!(with(r#"{"package": "pack", "use": ["tools.x"]}"#), "loaded: []");
    assert!(with(r#"{"package": "pack", "use": []}"#).ends_with("loaded: [audit, pii-redactor]"));
    // A broken hook is the project's business only if the project asked for it.
    assert!(with(r#"{"package": "pack", "use": ["hooks.broken"]}"#).contains("hook_skipped"));
}

#[test]
fn a_named_hook_may_be_behind_a_manifest_that_cannot_be_read() {
    let tree = Tree::new()
        .hook("node_modules/pack/hooks/pii", "{\"name\": \"pii-scrubber\" \"points\": []}")
        .hook("node_modules/pack/hooks/known", r#"{"name": "known", "points": []}"#)
        .file("amodal.json", r#"{"packages": [{"package": "pack", "use": ["hooks.pii-scrubber"]}]}"#);
    insta::assert_snapshot!(tree.report());
}

#[test]
fn a_package_without_hooks_is_fine() {
    let tree = Tree::new()
        .file("node_modules/tools-only/package.json", "{}")
        .file("amodal.json", r#"{"packages": ["tools-only"]}"#);
    assert_eq!(tree.report(), "loaded: []");
}

#[test]
fn packages_that_are_warned_about() {
    let tree = Tree::new()
        .hook("node_modules/pack/hooks/pii", PII)
        .file("node_modules/tools-only/package.json", "{}")
        .dir("node_modules/no-hooks/hooks")
        .file("node_modules/odd/hooks", "")
        .file(
            "amodal.json",
            r#"{
  "packages": [
    "@acme/absent",
    { "package": "absent-but-unused", "use": ["tools.x"] },
    "../pack", "/etc", "", "@acme", "a/b", ".bin", "C:pack",
    { "package": "pack", "use": ["hooks.pii-redacter", "hooks.audit"] },
    { "package": "tools-only", "use": ["hooks.x"] },
    { "package": "no-hooks", "use": ["hooks.x"] },
    "odd",
    "pack"
  ]
}"#,
        );
    insta::assert_snapshot!(tree.report());
}

#[test]
fn a_package_that_is_listed_twice_loads_once() {
    let tree =
        Tree::new().hook("node_modules/pack/hooks/a", MANIFEST).hook("node_modules/pack/hooks/b", MANIFEST).file(
            "amodal.json",
            r#"{"packages": [{"package": "pack", "use": ["hooks.b"]}, {"package": "pack", "use": ["hooks.a"]}]}"#,
        );
    insta::assert_snapshot!(tree.report());
}

#[test]
fn the_first_of_two_equal_names_stays() {
    let tree = Tree::new()
        .hook("hooks/mine", PII)
        .hook("node_modules/one/hooks/pii", PII)
        .hook("node_modules/one/hooks/audit", MANIFEST)
        .hook("node_modules/two/hooks/audit", MANIFEST)
        .file("amodal.json", r#"{"packages": ["one", "two"]}"#);
    assert_eq!(tree.load().hooks[0].origin, Origin::Local);
    insta::assert_snapshot!(tree.report());
}

#[test]
fn a_skipped_local_hook_leaves_its_name_free() {
    let tree = Tree::new()
        .hook("hooks/pii-redactor", "{")
        .hook("node_modules/one/hooks/pii", PII)
        .file("amodal.json", r#"{"packages": ["one"]}"#);
    assert!(tree.report().ends_with("loaded: [pii-redactor]"));
}
