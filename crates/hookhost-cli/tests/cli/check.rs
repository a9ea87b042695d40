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

#[test]
fn a_hook_that_reads_too_far_cannot_start_where_capabilities_are_enforced() {
    let folder = Folder::new()
        .file("secret.mjs", "export default 1;\n")
        .hook("reads-too-far", MANIFEST, &format!("import '../../../secret.mjs';\n{HANDLER}"))
        .hook("stays", MANIFEST, HANDLER);
    let lines = [
        "check --project agent",
        "check --project agent --sandbox enforced",
        "check --sandbox enforced --strict --project agent",
    ];
    insta::assert_snapshot!(lines.map(|line| folder.hookhost(line).to_string()).join("\n"));
}

#[test]
fn the_examples_declare_what_they_need() {
    for project in [".", "fixtures/project"] {
        let [advisory, enforced] =
            ["advisory", "enforced"].map(|sandbox| hookhost(&format!("check --project {project} --sandbox {sandbox}")));
        assert_eq!((enforced.code, enforced.stdout), (advisory.code, advisory.stdout));
    }
}
