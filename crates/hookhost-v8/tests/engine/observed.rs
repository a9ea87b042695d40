//! What an instance tells of itself: what it holds, and what it was loaded from.

use serde_json::json;

use crate::support::{Hook, SHORT, call, evaluating, fails, hook, reply};

#[tokio::test]
async fn memory_grows_with_what_a_hook_keeps() {
    let instance = evaluating().start().await;
    let before = instance.memory().await.unwrap();
    let code = "kept.texts = Array.from({ length: 100000 }, (_, i) => 'text ' + i); kept.bytes = new Uint8Array(4e6)";
    reply(call(&instance, json!({ "code": code })).await);
    let after = instance.memory().await.unwrap();
    assert!(after.heap_bytes > before.heap_bytes + 1_000_000, "{before:?} {after:?}");
    assert!(after.external_bytes >= before.external_bytes + 4_000_000, "{before:?} {after:?}");
}

#[tokio::test]
async fn a_hook_that_cannot_be_asked_has_no_memory() {
    let broken = hook("throw new Error('no');").start().await;
    assert_eq!(broken.memory().await, None);
    let resting = evaluating().start().await;
    for _ in 0..2 {
        fails(&resting, "while (true) {}", SHORT).await;
    }
    assert_eq!(resting.memory().await, None, "{:?}", resting.state());
}

fn names(instance: &hookhost_v8::Instance) -> Vec<String> {
    let files = instance.files();
    files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

#[tokio::test]
async fn every_file_that_was_loaded_is_known_and_watched() {
    let hook = hook(
        "import data from './data.json' with { type: 'json' }; import { a } from './a.mjs';
         export default { run: async () => ({ action: 'allow', note: (await import('./late.mjs')).late }) };",
    )
    .file("data.json", "{}")
    .file("a.mjs", "export const a = 1;")
    .file("late.mjs", "export const late = 'late';")
    .file("other.mjs", "");
    let instance = hook.start().await;
    assert_eq!(names(&instance), ["a.mjs", "data.json", "index.mjs"]);
    reply(call(&instance, json!({})).await);
    assert_eq!(names(&instance), ["a.mjs", "data.json", "index.mjs", "late.mjs"]);
    assert!(!instance.has_changed_on_disk());
    std::fs::write(hook.folder.path().join("other.mjs"), "changed").unwrap();
    assert!(!instance.has_changed_on_disk(), "it has nothing to do with that file");
    std::fs::write(hook.folder.path().join("data.json"), "{ }").unwrap();
    assert!(instance.has_changed_on_disk());
}

#[tokio::test]
async fn a_file_that_was_missing_has_changed_when_it_is_there() {
    let hook = Hook::with("index.mjs", "import './missing.mjs';");
    let instance = hook.start().await;
    assert!(!instance.has_changed_on_disk());
    std::fs::write(hook.folder.path().join("missing.mjs"), "").unwrap();
    assert!(instance.has_changed_on_disk());
}
