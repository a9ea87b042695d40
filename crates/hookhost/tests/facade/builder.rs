//! What each setter of the builder does.

use std::time::Duration;

use hookhost::{Action, FailureCause, HookHostError, Limits, MemoryStore, ProjectError};
use serde_json::json;

use crate::support::{MANIFEST, Project, ask, cause, logged};

/// Logs what it finds in `ctx.env`.
const READS_ENV: &str = "export default {
  run: (_point, _payload, ctx) => {
    ctx.log(JSON.stringify({ env: ctx.env, process: typeof process === 'undefined' ? {} : { ...process.env } }));
    return { action: 'allow' };
  },
};";

#[tokio::test]
async fn a_project_that_is_not_there_is_an_error() {
    let error = Project::new().builder().project("no/such/project").build().await.err().unwrap();
    assert!(matches!(error, HookHostError::Project(ProjectError::NotFound { .. })), "{error}");
    assert!(error.to_string().contains("`no/such/project` does not exist"), "{error}");
}

#[tokio::test]
async fn strict_names_every_local_folder_that_cannot_be_loaded() {
    let project = Project::new()
        .hook("healthy", MANIFEST, "throw new Error('strict imports nothing');")
        .hook("pointless", "{}", "")
        .file("hooks/mute/hook.json", MANIFEST)
        .file("node_modules/pack/package.json", r#"{"name": "pack"}"#)
        .file("node_modules/pack/hooks/bad/hook.json", "{}")
        .file("amodal.json", r#"{"packages": ["pack", "not-installed"]}"#);
    let error = project.builder().strict(true).build().await.err().unwrap();
    let HookHostError::Strict(diagnostics) = &error else { panic!("{error}") };
    let hooks: Vec<_> = diagnostics.iter().filter_map(|diagnostic| diagnostic.hook.as_deref()).collect();
    assert_eq!(hooks, ["mute", "pointless"]);
    let text = error.to_string();
    assert!(text.starts_with("the project has hooks that cannot be loaded:\n  hooks/mute: hook_skipped:"), "{text}");
    assert!(!text.contains("pack"), "{text}");

    assert_eq!(project.host().await.hook_names(), ["healthy"], "skipped where it is not strict");
}

#[tokio::test]
async fn env_holds_the_named_variables_and_no_others() {
    let project = Project::of(MANIFEST, READS_ENV);
    let none = ask(&project.host().await, "").await;
    assert_eq!(logged(&none)["env"], json!({}));

    let path = std::env::var("PATH").expect("every process has one");
    let host = project.builder().env_names(["PATH", "HOOKHOST_TEST_UNSET"]).build().await.unwrap();
    assert_eq!(logged(&ask(&host, "").await)["env"], json!({ "PATH": path }));

    let host = project.builder().env_names(["PATH"]).env_var("PATH", "mine").build().await.unwrap();
    assert_eq!(logged(&ask(&host, "").await)["env"], json!({ "PATH": "mine" }));
}

#[tokio::test]
async fn a_store_is_there_for_hooks_that_declare_it() {
    let reads = "export default {
      run: async (_point, _payload, ctx) => {
        ctx.log(JSON.stringify({ hook: ctx.hookName, row: (await ctx.store?.get('members', 'u1')) ?? null }));
        return { action: 'allow' };
      },
    };";
    let project = Project::new()
        .hook("declares", r#"{"points": ["preInput"], "capabilities": ["store:read"]}"#, reads)
        .hook("does-not", r#"{"points": ["preInput"], "priority": 1}"#, reads);
    let store = MemoryStore::from_json(&json!({ "members": { "u1": { "role": "admin" } } })).unwrap();
    let decision = ask(&project.builder().store(store).build().await.unwrap(), "").await;
    let lines: Vec<_> = decision.logs.iter().map(|log| log.message.as_str()).collect();
    assert_eq!(lines, [r#"{"hook":"declares","row":{"role":"admin"}}"#, r#"{"hook":"does-not","row":null}"#]);
}

#[tokio::test]
async fn a_manifests_time_limit_comes_before_the_hosts() {
    let waits =
        "export default { run: () => new Promise((done) => setTimeout(() => done({ action: 'allow' }), 400)) };";
    let project = Project::of(r#"{"points": ["preInput"], "timeoutMs": 20000}"#, waits).hook(
        "hasty",
        r#"{"points": ["preOutput"]}"#,
        waits,
    );
    let host = project.builder().limits(Limits::default().timeout(Duration::from_millis(100))).build().await.unwrap();
    assert_eq!(ask(&host, "").await.action, Action::Allow);
    assert_eq!(cause(&host.decide(hookhost::Call::pre_output("")).await), Some(FailureCause::TimedOut));
}

#[tokio::test]
async fn loading_has_a_limit_of_its_own() {
    let project = Project::of(MANIFEST, "while (true) {}");
    let limits = Limits::default().load_timeout(Duration::from_millis(200));
    let decision = ask(&project.builder().limits(limits).build().await.unwrap(), "").await;
    assert_eq!((decision.action, cause(&decision)), (Action::Block, Some(FailureCause::LoadFailed)));
}

#[tokio::test]
async fn a_hook_that_fills_its_heap_fails_alone() {
    let project = Project::of(
        r#"{"points": ["preInput"], "timeoutMs": 20000}"#,
        "export default {
          run(_point, { text }) {
            const kept = [];
            while (text === 'fill') kept.push(new Array(1000).fill(kept.length));
            return { action: 'allow' };
          },
        };",
    );
    let host = project.builder().limits(Limits::default().heap_bytes(32 << 20)).build().await.unwrap();
    let decision = ask(&host, "fill").await;
    assert_eq!((decision.action, cause(&decision)), (Action::Block, Some(FailureCause::OutOfMemory)));
    assert_eq!(ask(&host, "go on").await.action, Action::Allow, "the next call finds a new instance");
}

#[tokio::test]
async fn replies_and_logs_have_limits() {
    let project = Project::of(
        MANIFEST,
        "export default {
          run(_point, { text }, ctx) {
            ctx.log(text.repeat(100));
            const action = text.startsWith('stop') ? 'block' : 'modify';
            return { action, reason: text.repeat(10), payload: { text: text.repeat(100) } };
          },
        };",
    );
    let host = project.builder().limits(Limits::default().reply_bytes(200).log_bytes(50)).build().await.unwrap();
    let decision = ask(&host, "x").await;
    assert_eq!(decision.output["text"], "x".repeat(100));
    let lines: Vec<_> = decision.logs.into_iter().map(|log| log.message).collect();
    assert_eq!(lines, ["x".repeat(50), "[log truncated: over the limit]".to_owned()]);
    assert_eq!(cause(&ask(&host, "xx").await), Some(FailureCause::InvalidDecision));
    let stopped = ask(&host, "stop, whatever it takes").await;
    assert_eq!((stopped.action, cause(&stopped)), (Action::Block, None));
    assert_eq!(stopped.reason.as_deref(), Some("Hook \"guard\" blocked this call"), "its own is over the limit");
}
