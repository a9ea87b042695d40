//! Hosts that come and go.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hookhost::Action;

use crate::support::{MANIFEST, Project, ask};

/// What must not wait for a hook is much faster than this.
const SOON: Duration = Duration::from_secs(15);
/// A time limit that no test waits for.
const PATIENT: &str = r#"{"points": ["preInput"], "timeoutMs": 60000}"#;

fn says(word: &str) -> String {
    format!("export default {{ run: () => ({{ action: 'block', reason: '{word}' }}) }};")
}

#[tokio::test]
async fn two_hosts_live_side_by_side() {
    let (first, second) = (Project::of(MANIFEST, &says("one")), Project::of(MANIFEST, &says("two")));
    let (one, two) = (first.host().await, second.host().await);
    assert_eq!(ask(&one, "").await.reason.as_deref(), Some("one"));
    assert_eq!(ask(&two, "").await.reason.as_deref(), Some("two"));
    drop(one);
    assert_eq!(ask(&two, "").await.reason.as_deref(), Some("two"));
}

#[tokio::test]
async fn two_hosts_of_one_project_share_no_state() {
    let project = Project::of(
        MANIFEST,
        "let calls = 0;
        export default { run: () => ({ action: 'block', reason: `call ${++calls}` }) };",
    );
    let (one, two) = (project.host().await, project.host().await);
    assert_eq!(ask(&one, "").await.reason.as_deref(), Some("call 1"));
    assert_eq!(ask(&one, "").await.reason.as_deref(), Some("call 2"));
    assert_eq!(ask(&two, "").await.reason.as_deref(), Some("call 1"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_goes_while_its_hooks_run() {
    for module in
        ["export default { run() { while (true) {} } };", "export default { run: () => new Promise(() => {}) };"]
    {
        let project = Project::of(PATIENT, module);
        let host = Arc::new(project.host().await);
        let tasks: Vec<_> = (0..4)
            .map(|_| {
                let host = host.clone();
                tokio::spawn(async move { ask(&host, "").await })
            })
            .collect();
        // Long enough for the calls to be under way, on any machine that is not stuck.
        tokio::time::sleep(Duration::from_millis(100)).await;
        for task in &tasks {
            task.abort();
        }
        for task in tasks {
            assert!(task.await.unwrap_err().is_cancelled());
        }
        let begun = Instant::now();
        drop(Arc::into_inner(host).expect("the last one"));
        assert!(begun.elapsed() < SOON, "it waited for the hook");
    }
}

#[test]
fn a_runtime_ends_while_calls_are_under_way() {
    let project = Project::of(PATIENT, "export default { run() { while (true) {} } };");
    let begun = Instant::now();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let host = Arc::new(runtime.block_on(project.host()));
    let asked = host.clone();
    runtime.spawn(async move { ask(&asked, "").await });
    std::thread::sleep(Duration::from_millis(100));
    drop(runtime);
    drop(host);
    assert!(begun.elapsed() < SOON);
}

#[test]
fn a_host_outlives_the_runtime_that_built_it() {
    let project = Project::of(MANIFEST, &says("still here"));
    let runtime = || tokio::runtime::Builder::new_current_thread().build().unwrap();
    let host = runtime().block_on(project.host());
    let decision = runtime().block_on(ask(&host, ""));
    assert_eq!((decision.action, decision.reason.as_deref()), (Action::Block, Some("still here")));
}

#[tokio::test]
async fn hosts_leave_nothing_behind() {
    let project = Project::of(MANIFEST, &says("no"));
    for _ in 0..20 {
        assert_eq!(ask(&project.host().await, "").await.action, Action::Block);
    }
}
