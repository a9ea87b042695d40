//! Whatever is wrong with a project, the message says where, what, and what to do; and what is healthy still works.

use crate::support::{Folder, HANDLER, MANIFEST, hookhost};

/// A guard that blocks every input, beside what is broken.
fn beside_a_guard() -> Folder {
    Folder::new().hook(
        "guard",
        MANIFEST,
        "export default { run: () => ({ action: 'block', reason: 'still on guard' }) };",
    )
}

/// What `check`, `list` and `run` say of the project `agent`.
fn said(folder: Folder) -> String {
    let folder = folder.file("call.json", r#"{"text": "hello"}"#);
    let lines = ["check --project agent", "list --project agent", "run preInput --payload call.json --project agent"];
    let said = lines.map(|line| folder.hookhost(line).to_string()).join("\n");
    assert!(!said.contains("panicked"), "{said}");
    assert!(!said.contains("No such file"), "this alone helps nobody:\n{said}");
    said
}

#[test]
fn project_is_missing() {
    insta::assert_snapshot!(said(Folder::new()));
}

#[test]
fn project_is_a_file() {
    insta::assert_snapshot!(said(Folder::new().file("agent", "")));
}

#[test]
fn project_is_empty() {
    insta::assert_snapshot!(said(Folder::new().dir("agent")));
}

#[test]
fn hooks_is_a_file() {
    insta::assert_snapshot!(said(Folder::new().file("agent/hooks", "")));
}

#[test]
fn no_hook_json() {
    insta::assert_snapshot!(said(beside_a_guard().file("agent/hooks/bare/index.mjs", HANDLER)));
}

#[test]
fn hook_json_is_a_folder() {
    let folder = beside_a_guard().dir("agent/hooks/odd/hook.json").file("agent/hooks/odd/index.mjs", HANDLER);
    insta::assert_snapshot!(said(folder));
}

#[test]
fn hook_json_has_ten_megabytes() {
    let mut manifest = br#"{"points": ["preInput"], "config": {"words": ""#.to_vec();
    manifest.resize(10 << 20, b'x');
    manifest.extend(b"\"}}");
    insta::assert_snapshot!(said(beside_a_guard().hook("big", manifest, HANDLER)));
}

#[test]
fn hook_json_is_not_utf_8() {
    insta::assert_snapshot!(said(beside_a_guard().hook(
        "latin",
        b"{\"label\": \"gr\xfcn\",\n\"points\": []}",
        HANDLER
    )));
}

#[test]
fn hook_json_with_a_byte_order_mark_is_fine() {
    insta::assert_snapshot!(said(Folder::new().hook("marked", format!("\u{feff}{MANIFEST}"), HANDLER)));
}

#[test]
fn hook_json_is_empty() {
    insta::assert_snapshot!(said(beside_a_guard().hook("blank", "", HANDLER)));
}

#[test]
fn name_with_a_slash() {
    let manifest = r#"{"name": "../guard", "points": ["preInput"]}"#;
    insta::assert_snapshot!(said(beside_a_guard().hook("sly", manifest, HANDLER)));
}

#[test]
fn handler_is_missing() {
    insta::assert_snapshot!(said(beside_a_guard().file("agent/hooks/mute/hook.json", MANIFEST)));
}

#[test]
fn point_is_unknown() {
    insta::assert_snapshot!(said(beside_a_guard().hook("lost", "{\n  \"points\": [\"preInptu\"]\n}", HANDLER)));
}

#[test]
fn capability_is_unknown() {
    let manifest = "{\n  \"points\": [\"preInput\"],\n  \"capabilities\": [\"reads_everything\"]\n}";
    insta::assert_snapshot!(said(beside_a_guard().hook("greedy", manifest, HANDLER)));
}

#[test]
fn module_cannot_be_loaded() {
    let module =
        "import { words } from './words.mjs';\n\nexport default { run: () => ({ action: 'allow', words }) };\n";
    insta::assert_snapshot!(said(beside_a_guard().hook("broken", MANIFEST, module)));
}

#[test]
fn amodal_json_is_not_json() {
    insta::assert_snapshot!(said(
        beside_a_guard().file("agent/amodal.json", "{\n  \"hooks\": { \"order\": [\"guard\" }\n}\n")
    ));
}

#[test]
fn amodal_json_has_a_wrong_type() {
    let settings = "{\n  \"hooks\": { \"disabled\": \"guard\" }\n}\n";
    insta::assert_snapshot!(said(beside_a_guard().file("agent/amodal.json", settings)));
}

#[test]
fn amodal_json_is_a_folder() {
    insta::assert_snapshot!(said(beside_a_guard().dir("agent/amodal.json")));
}

// Linux, since the message quotes the operating system.
#[cfg(target_os = "linux")]
#[test]
fn link_that_leads_to_itself() {
    insta::assert_snapshot!(said(beside_a_guard().link("agent/hooks/loop", "loop")));
}

#[cfg(unix)]
#[test]
fn link_that_leads_back_up() {
    insta::assert_snapshot!(said(beside_a_guard().link("agent/hooks/up", "..")));
}

#[cfg(unix)]
#[test]
fn link_that_leads_nowhere() {
    insta::assert_snapshot!(said(beside_a_guard().link("agent/hooks/gone", "../../gone")));
}

#[cfg(unix)]
#[test]
fn amodal_json_is_a_link_that_leads_nowhere() {
    insta::assert_snapshot!(said(beside_a_guard().link("agent/amodal.json", "gone.json")));
}

#[test]
fn everything_at_once() {
    let lines = [
        "check --project fixtures/broken-project",
        "check --project fixtures/broken-project --strict",
        "list --project fixtures/broken-project",
        "run preToolUse --project fixtures/broken-project --payload fixtures/payloads/transfer.json",
    ];
    insta::assert_snapshot!(lines.map(|line| hookhost(line).to_string()).join("\n"));
}

#[test]
fn everything_at_once_for_programs() {
    let lines = ["check", "list"].map(|command| format!("{command} --format json --project fixtures/broken-project"));
    insta::assert_snapshot!(lines.map(|line| hookhost(&line).to_string()).join("\n"));
}
