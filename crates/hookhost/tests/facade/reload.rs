//! A host that is brought up to date while it decides.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hookhost::{Action, FailureCause, HookHost, HookState, Reload};
use serde_json::json;

use crate::support::{MANIFEST, Project, ask, cause};

/// A hook that blocks, with this reason and its number of calls.
fn blocks(reason: &str) -> String {
    format!("let n = 0; export default {{ run: () => ({{ action: 'block', reason: '{reason} ' + ++n }}) }};")
}

fn write(project: &Project, path: &str, content: &str) {
    let path = project.path(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

async fn reason(host: &HookHost) -> String {
    ask(host, "x").await.reason.unwrap_or_default()
}

/// Only these lists are not empty.
fn only(reload: &Reload, expected: serde_json::Value) {
    let mut found = json!(reload);
    found.as_object_mut().unwrap().retain(|_, list| *list != json!([]));
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_changed_hook_is_started_anew_and_others_remember() {
    let project = Project::new().hook("changed", r#"{"points": ["preInput"], "priority": 2}"#, &blocks("old")).hook(
        "other",
        r#"{"points": ["preOutput"]}"#,
        &blocks("other"),
    );
    let host = project.host().await;
    assert_eq!(reason(&host).await, "old 1");
    let other = async || host.decide(hookhost::Call::pre_output("x")).await.reason.unwrap();
    assert_eq!(other().await, "other 1");
    let nothing = host.reload().await.unwrap();
    only(&nothing, json!({ "unchanged": ["changed", "other"] }));
    assert!(nothing.is_nothing());
    assert_eq!(reason(&host).await, "old 2", "it remembers");

    write(&project, "hooks/changed/index.mjs", &blocks("new"));
    let reload = host.reload().await.unwrap();
    only(&reload, json!({ "reloaded": ["changed"], "unchanged": ["other"] }));
    assert_eq!(reason(&host).await, "new 1");
    assert_eq!(other().await, "other 2", "it remembers");
}

#[tokio::test]
async fn what_a_hook_imports_is_part_of_it() {
    let project = Project::of(
        MANIFEST,
        "import { word } from '../../lib/word.mjs'; export default { run: () => ({ action: 'block', reason: word }) };",
    )
    .file("lib/word.mjs", "export const word = 'one';");
    let host = project.host().await;
    assert_eq!(reason(&host).await, "one");
    write(&project, "lib/word.mjs", "export const word = 'two';");
    only(&host.reload().await.unwrap(), json!({ "reloaded": ["guard"] }));
    assert_eq!(reason(&host).await, "two");
    let files = host.files("guard");
    assert!(files.iter().any(|file| file.ends_with("lib/word.mjs")), "{files:?}");
    assert!(files.iter().any(|file| file.ends_with("hook.json")), "{files:?}");
    assert!(host.files("nobody").is_empty());
}

#[tokio::test]
async fn a_guard_that_was_broken_by_an_edit_keeps_guarding() {
    let project = Project::of(MANIFEST, &blocks("good"));
    let host = project.host().await;
    assert_eq!(reason(&host).await, "good 1");
    for (path, broken) in [
        ("hooks/guard/index.mjs", "throw new Error('half an edit');"),
        ("hooks/guard/index.mjs", "export default {"),
        ("hooks/guard/hook.json", "{"),
        ("hooks/guard/hook.json", r#"{"points": ["preInputs"]}"#),
    ] {
        let good = fs::read_to_string(project.path(path)).unwrap();
        write(&project, path, broken);
        let reload = host.reload().await.unwrap();
        assert_eq!(reload.kept.len(), 1, "{broken}: {reload:?}");
        assert!(reason(&host).await.starts_with("good "), "{broken}");
        let report = host.report();
        assert_eq!(report.hooks[0].outdated.as_ref(), Some(&reload.kept[0].why), "{broken}");
        write(&project, path, &good);
        let reload = host.reload().await.unwrap();
        assert!(reload.kept.is_empty() && reload.removed.is_empty(), "{broken}: {reload:?}");
        assert_eq!(host.report().hooks[0].outdated, None, "{broken}");
    }
    fs::rename(project.path("hooks/guard/index.mjs"), project.path("hooks/guard/gone.mjs")).unwrap();
    let reload = host.reload().await.unwrap();
    assert_eq!(reload.kept.len(), 1, "without a handler: {reload:?}");
    assert!(reason(&host).await.starts_with("good "));
}

#[tokio::test]
async fn a_hook_that_never_worked_is_no_open_door() {
    let project = Project::of(MANIFEST, "throw new Error('no');");
    let host = project.host().await;
    assert_eq!(cause(&ask(&host, "x").await), Some(FailureCause::LoadFailed));
    let reload = host.reload().await.unwrap();
    assert_eq!((reload.failing.len(), reload.kept.len()), (1, 0));
    write(&project, "hooks/second/hook.json", MANIFEST);
    write(&project, "hooks/second/index.mjs", "throw new Error('no');");
    let reload = host.reload().await.unwrap();
    assert_eq!(reload.failing.len(), 2);
    assert_eq!(ask(&host, "x").await.action, Action::Block);
    write(&project, "hooks/guard/index.mjs", &blocks("mended"));
    only(
        &host.reload().await.unwrap(),
        json!({
            "reloaded": ["guard"],
            "failing": [{ "hook": "second", "failure": { "cause": "load_failed", "message": "Error: no", "at": "index.mjs:1:7" } }],
        }),
    );
    assert_eq!(reason(&host).await, "mended 1");
}

#[tokio::test]
async fn hooks_come_and_go() {
    let project = Project::of(MANIFEST, &blocks("guard"));
    let host = project.host().await;
    write(&project, "hooks/early/hook.json", r#"{"points": ["preInput"], "priority": -1}"#);
    write(&project, "hooks/early/index.mjs", &blocks("early"));
    only(&host.reload().await.unwrap(), json!({ "added": ["early"], "unchanged": ["guard"] }));
    assert_eq!((reason(&host).await, host.hook_names()), ("early 1".into(), vec!["early".into(), "guard".into()]));

    write(&project, "amodal.json", r#"{"hooks": {"order": ["guard"]}}"#);
    only(&host.reload().await.unwrap(), json!({ "unchanged": ["early", "guard"] }));
    assert_eq!(reason(&host).await, "guard 1", "the order holds, and the instance is the same");

    write(&project, "amodal.json", r#"{"hooks": {"disabled": ["guard"]}}"#);
    only(&host.reload().await.unwrap(), json!({ "removed": ["guard"], "unchanged": ["early"] }));
    assert_eq!(reason(&host).await, "early 2");
    let states: Vec<_> = host.report().hooks.iter().map(|hook| hook.state.as_str()).collect();
    assert_eq!(states, ["ready", "disabled"]);

    fs::remove_dir_all(project.path("hooks/early")).unwrap();
    only(&host.reload().await.unwrap(), json!({ "removed": ["early"] }));
    assert_eq!(ask(&host, "x").await.action, Action::Allow);
    assert!(host.hook_names().is_empty());
}

#[tokio::test]
async fn config_and_manifest_count_as_changes() {
    let project = Project::of(
        r#"{"points": ["preInput"], "config": {"word": "one"}}"#,
        "export const createHook = ({ word }) => ({ run: () => ({ action: 'block', reason: word }) });",
    );
    let host = project.host().await;
    write(&project, "amodal.json", r#"{"hooks": {"config": {"guard": {"word": "two"}}}}"#);
    only(&host.reload().await.unwrap(), json!({ "reloaded": ["guard"] }));
    assert_eq!(reason(&host).await, "two");
    write(&project, "hooks/guard/hook.json", r#"{"points": ["preOutput"], "config": {"word": "one"}}"#);
    host.reload().await.unwrap();
    assert_eq!(ask(&host, "x").await.action, Action::Allow, "it is bound to another point now");
}

#[tokio::test]
async fn a_project_that_cannot_be_read_changes_nothing() {
    let project = Project::of(MANIFEST, &blocks("guard"));
    let host = project.host().await;
    write(&project, "hooks/guard/index.mjs", &blocks("new"));
    write(&project, "amodal.json", "{");
    let error = host.reload().await.unwrap_err();
    assert!(error.to_string().contains("amodal.json"), "{error}");
    assert_eq!(reason(&host).await, "guard 1");
    write(&project, "amodal.json", "{}");
    host.reload().await.unwrap();
    assert_eq!(reason(&host).await, "new 1");
}

#[tokio::test]
async fn a_renamed_hook_is_the_new_one_alone() {
    let project = Project::of(MANIFEST, &blocks("guard"));
    let host = project.host().await;
    write(&project, "hooks/guard/hook.json", r#"{"name": "warden", "points": ["preInput"]}"#);
    only(&host.reload().await.unwrap(), json!({ "added": ["warden"], "removed": ["guard"] }));
    assert_eq!(host.hook_names(), ["warden"]);
}

#[tokio::test]
async fn only_the_chosen_hooks_are_started_and_stay_chosen() {
    let project =
        Project::new().hook("one", MANIFEST, &blocks("one")).hook("two", MANIFEST, "throw new Error('not started');");
    let host = project.builder().only_hooks(["one"]).build().await.unwrap();
    assert_eq!(reason(&host).await, "one 1");
    let two = host.report().hooks.into_iter().find(|hook| hook.name == "two").unwrap();
    assert_eq!(two.state, HookState::Found);
    host.reload().await.unwrap();
    assert_eq!(host.hook_names(), ["one"]);
}

#[tokio::test]
async fn a_config_of_the_builder_lies_over_that_of_the_project() {
    let project = Project::of(
        r#"{"points": ["preInput"], "config": {"a": 1, "b": 1}}"#,
        "export const createHook = (config) => ({ run: () => ({ action: 'block', reason: JSON.stringify(config) }) });",
    )
    .file("amodal.json", r#"{"hooks": {"config": {"guard": {"b": 2, "c": 2}}}}"#);
    let over = serde_json::Map::from_iter([("c".to_owned(), json!(3))]);
    let host =
        project.builder().hook_config("guard", over).hook_config("nobody", Default::default()).build().await.unwrap();
    assert_eq!(reason(&host).await, r#"{"a":1,"b":2,"c":3}"#);
    assert!(host.reload().await.unwrap().is_nothing(), "it holds on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn decisions_go_on_meanwhile_and_see_one_version() {
    let version = |n: usize| {
        format!(
            "export default {{ run: async () => {{ await null; return {{ action: 'modify', payload: {{ text: 'v{n}' }} }}; }} }};"
        )
    };
    // The second one sees what the first has written, and says so.
    let compare = |n: usize| {
        format!("export default {{ run: (_, payload) => ({{ action: 'block', reason: payload.text + ' v{n}' }}) }};")
    };
    let project = Project::new().hook("a", r#"{"points": ["preInput"], "priority": 1}"#, &version(0)).hook(
        "b",
        r#"{"points": ["preInput"], "priority": 2}"#,
        &compare(0),
    );
    let host = Arc::new(project.host().await);
    let (stop, decided) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let callers: Vec<_> = (0..8)
        .map(|_| {
            let (host, stop, decided) = (host.clone(), stop.clone(), decided.clone());
            tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let decision = ask(&host, "x").await;
                    assert!(decision.runs.iter().all(|run| run.failure.is_none()), "{:?}", decision.runs);
                    let reason = decision.reason.unwrap();
                    let (first, second) = reason.split_once(' ').unwrap();
                    assert_eq!(first, second, "two versions of one chain");
                    decided.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for n in 1..=20 {
        write(&project, "hooks/a/index.mjs", &version(n));
        write(&project, "hooks/b/index.mjs", &compare(n));
        let before = decided.load(Ordering::Relaxed);
        assert_eq!(host.reload().await.unwrap().reloaded, ["a", "b"]);
        while decided.load(Ordering::Relaxed) < before + 20 {
            tokio::task::yield_now().await;
        }
    }
    stop.store(true, Ordering::Relaxed);
    for caller in callers {
        caller.await.unwrap();
    }
    assert_eq!(reason(&host).await, "v20 v20");
}

#[tokio::test]
async fn two_reloads_run_one_after_the_other_and_one_may_be_dropped() {
    let project = Project::of(MANIFEST, &blocks("one"));
    let host = project.host().await;
    write(
        &project,
        "hooks/guard/index.mjs",
        "await new Promise((done) => setTimeout(done, 200)); export default { run: () => ({ action: 'block', reason: 'two' }) };",
    );
    {
        let dropped = host.reload();
        tokio::pin!(dropped);
        assert!(futures::poll!(dropped.as_mut()).is_pending());
    }
    assert_eq!(reason(&host).await, "one 1", "as it was");
    let (one, other) = tokio::join!(host.reload(), host.reload());
    assert_eq!(one.unwrap().reloaded, ["guard"]);
    assert_eq!(other.unwrap().unchanged, ["guard"]);
    assert_eq!(reason(&host).await, "two");
}

#[tokio::test]
async fn what_hooks_hold_is_told_in_the_order_of_the_chain() {
    let project = Project::new().hook("a", MANIFEST, &blocks("a")).hook("b", MANIFEST, "throw new Error('no');");
    let host = project.host().await;
    let memory = host.memory().await;
    assert_eq!(memory.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a"]);
    assert!(memory[0].1.heap_bytes > 100_000);
}

#[tokio::test]
async fn a_new_folder_that_cannot_be_loaded_is_told() {
    let project = Project::of(MANIFEST, &blocks("old"));
    let (host, strict) = (project.host().await, project.builder().strict(true).build().await.unwrap());
    write(&project, "hooks/new/hook.json", r#"{"points": ["preInputt"]}"#);
    write(&project, "hooks/new/index.mjs", &blocks("new"));
    let reload = host.reload().await.unwrap();
    assert_eq!(reload.unchanged, ["guard"]);
    assert_eq!(reload.skipped.len(), 1);
    assert!(reload.skipped[0].to_string().contains("hooks/new/hook.json:1:13"), "{}", reload.skipped[0]);

    write(&project, "hooks/guard/index.mjs", &blocks("newer"));
    let refused = strict.reload().await;
    assert!(matches!(refused, Err(hookhost::HookHostError::Strict(_))), "{refused:?}");
    assert_eq!(reason(&strict).await, "old 1", "nothing has changed");
}
