//! Calls: many at once, and after a hook has been killed.

use std::sync::Arc;

use hookhost::{Action, Call, FailureCause};
use serde_json::json;

use crate::support::{MANIFEST, Project, ask, cause, logged};

/// A time limit that no test waits for.
const PATIENT: &str = r#"{"points": ["preInput"], "timeoutMs": 20000}"#;

const LOOPS: &str = "export default {
  run(_point, { text }) {
    while (text === 'loop') {}
    return { action: 'allow' };
  },
};";

#[tokio::test]
async fn a_hook_that_loops_is_decided_by_its_policy_and_works_again() {
    let project = Project::of(r#"{"points": ["preInput"], "timeoutMs": 100}"#, LOOPS);
    let host = project.host().await;
    let decision = ask(&host, "loop").await;
    assert_eq!(decision.action, Action::Block);
    assert_eq!(decision.reason.as_deref(), Some("Hook \"guard\" failed (fail-closed)"));
    assert_eq!(cause(&decision), Some(FailureCause::TimedOut));

    let decision = ask(&host, "go on").await;
    assert_eq!((decision.action, cause(&decision)), (Action::Allow, None), "{:?}", decision.runs);
}

/// The promise of the product, with the luck of five tries: the limit, and not much more.
#[tokio::test]
async fn a_limit_of_100_ms_is_answered_within_150_ms() {
    let project = Project::of(r#"{"points": ["preInput"], "timeoutMs": 100}"#, LOOPS);
    let host = project.host().await;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let decision = ask(&host, "loop").await;
        assert_eq!(cause(&decision), Some(FailureCause::TimedOut));
        best = best.min(decision.runs[0].duration_ms);
        // A good answer in between, so that the hook does not rest.
        let decision = ask(&host, "go on").await;
        assert_eq!(decision.action, Action::Allow, "{:?}", decision.runs);
    }
    assert!((100.0..150.0).contains(&best), "{best} ms");
}

#[tokio::test]
async fn endless_recursion_is_an_error_of_the_hook() {
    let project = Project::of(
        MANIFEST,
        "export default {
          run(point, payload) {
            return payload.text === 'dive' ? this.run(point, payload) : { action: 'allow' };
          },
        };",
    );
    let host = project.host().await;
    assert_eq!(cause(&ask(&host, "dive").await), Some(FailureCause::Threw));
    assert_eq!(ask(&host, "go on").await.action, Action::Allow);
}

#[tokio::test]
async fn session_and_turn_are_in_ctx() {
    let project = Project::of(
        MANIFEST,
        "export default {
          run(_point, _payload, { sessionId, turnId, log }) {
            log(JSON.stringify({ sessionId, turnId }));
            return { action: 'allow' };
          },
        };",
    );
    let host = project.host().await;
    let decision = host.decide(Call::pre_input("").turn("s1", "t1")).await;
    assert_eq!(logged(&decision), json!({ "sessionId": "s1", "turnId": "t1" }));
    assert_eq!(logged(&ask(&host, "").await), json!({}));
}

#[tokio::test]
async fn a_call_for_a_hook_that_is_not_there_is_blocked() {
    let project = Project::of(MANIFEST, LOOPS);
    let host = project.host().await;
    let decision = host.decide(Call::pre_input("").only_hook("gaurd")).await;
    assert_eq!((decision.action, decision.hook), (Action::Block, None));
    assert_eq!(decision.reason.as_deref(), Some("no hook named \"gaurd\" is loaded"));
}

/// Every call gets its own answer and its own log, whatever happens to its neighbours on the same instance.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_hundred_calls_at_once_beside_a_hook_that_loops() {
    let project = Project::new()
        .hook(
            "a-editor",
            PATIENT,
            "export default {
              async run(_point, { text }, ctx) {
                ctx.log(text);
                await new Promise((done) => setTimeout(done, Number(text) % 7));
                return { action: 'modify', payload: { text: `${text}!` } };
              },
            };",
        )
        .hook(
            "b-odd-guard",
            PATIENT,
            "export default {
              run(_point, { text }, ctx) {
                ctx.log(text);
                return parseInt(text) % 2 ? { action: 'block', reason: `${text} is odd` } : { action: 'allow' };
              },
            };",
        )
        .hook(
            "c-looper",
            r#"{"points": ["preInput"], "failPolicy": "open", "timeoutMs": 100}"#,
            "export default { run() { while (true) {} } };",
        );
    let host = Arc::new(project.host().await);
    let tasks: Vec<_> = (0..200)
        .map(|number| {
            let host = host.clone();
            tokio::spawn(async move { (number, ask(&host, &number.to_string()).await) })
        })
        .collect();
    for task in tasks {
        let (number, decision) = task.await.unwrap();
        let text = format!("{number}!");
        assert_eq!(decision.input["text"], number.to_string());
        assert_eq!(decision.output["text"], text);
        let logs: Vec<_> = decision.logs.iter().map(|log| log.message.as_str()).collect();
        assert_eq!(logs, [&*number.to_string(), &*text]);
        if number % 2 == 1 {
            assert_eq!(decision.action, Action::Block);
            assert_eq!(decision.reason, Some(format!("{text} is odd")));
            assert_eq!(decision.runs.len(), 2);
        } else {
            assert_eq!(decision.action, Action::Modify, "{decision:?}");
            let failure = decision.runs[2].failure.as_ref().unwrap();
            // Ended by its own deadline, or with the instance that a neighbour's deadline ended.
            assert!(matches!(failure.cause, FailureCause::TimedOut | FailureCause::Exited), "{failure}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hook_that_waits_does_not_hold_up_its_other_calls() {
    let project = Project::of(
        r#"{"points": ["preInput"], "timeoutMs": 20000}"#,
        "let release;
        const released = new Promise((done) => { release = done; });
        export default {
          async run(_point, { text }) {
            if (text === 'release') release();
            await released;
            return { action: 'allow' };
          },
        };",
    );
    let host = project.host().await;
    let host = Arc::new(host);
    let waiting: Vec<_> = (0..20)
        .map(|_| {
            let host = host.clone();
            tokio::spawn(async move { ask(&host, "wait").await.action })
        })
        .collect();
    assert_eq!(ask(&host, "release").await.action, Action::Allow);
    for task in waiting {
        assert_eq!(task.await.unwrap(), Action::Allow);
    }
}
