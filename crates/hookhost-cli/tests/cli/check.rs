//! `hookhost check` on projects that are as they should be, or nearly.

use crate::support::{Folder, HANDLER, MANIFEST, hookhost};

#[test]
fn of_the_examples() {
    insta::assert_snapshot!(
        ["check", "check --strict", "check --format json"].map(|line| hookhost(line).to_string()).join("\n")
    );
}

#[test]
fn of_the_demo_project() {
    let lines =
        ["check", "check --strict", "check --format json"].map(|line| format!("{line} --project fixtures/project"));
    insta::assert_snapshot!(lines.map(|line| hookhost(&line).to_string()).join("\n"));
}

#[test]
fn strict_neither_imports_modules_nor_judges_packages() {
    let folder = Folder::new()
        .hook("broken", MANIFEST, "throw new Error('imported');")
        .file("agent/node_modules/pack/package.json", r#"{"name": "pack"}"#)
        .file("agent/node_modules/pack/hooks/bad/hook.json", "{}")
        .file("agent/amodal.json", r#"{"packages": ["pack"]}"#);
    let lines = ["check --project agent --strict", "check --project agent"];
    insta::assert_snapshot!(lines.map(|line| folder.hookhost(line).to_string()).join("\n"));
}

#[test]
fn a_misspelt_key_is_a_note() {
    let folder =
        Folder::new().hook("guard", "{\n  \"points\": [\"preInput\"],\n  \"failpolicy\": \"open\"\n}", HANDLER);
    insta::assert_snapshot!(folder.hookhost("check --project agent"));
}
