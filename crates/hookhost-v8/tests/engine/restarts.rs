//! How instances end, rest and are started again.

use std::time::{Duration, Instant};

use deno_core::futures::future::join_all;
use hookhost_contract::{FailureCause, Limits};
use hookhost_v8::InstanceState;
use serde_json::json;

use crate::support::{PATIENCE, SHORT, SOON, call, call_within, counter, evaluating, fails, hook, until};

#[tokio::test]
async fn a_looping_instance_can_be_dropped() {
    for code in ["while (true) {}", "await null; while (true) {}", "while (true) await null;"] {
        let instance = evaluating().start().await;
        let calling = call_within(&instance, json!({ "code": code, "async": true }), Duration::from_secs(60));
        assert!(tokio::time::timeout(Duration::from_millis(50), calling).await.is_err());
        let begun = Instant::now();
        drop(instance);
        assert!(begun.elapsed() < SOON, "{code}");
    }
}

/// Some of V8's built-ins do not look up while they run. The answer is there in time, and nobody waits for the thread.
#[tokio::test]
async fn a_built_in_that_cannot_be_ended_holds_up_nobody() {
    let instance = evaluating().start().await;
    let failure = fails(&instance, "[].indexOf.call({ length: 2 ** 52 }, 1, 2 ** 52 - 1e8)", SHORT).await;
    assert_eq!(failure.cause, FailureCause::TimedOut);
    until("that it is stuck", || instance.state() == InstanceState::Stuck).await;
    let begun = Instant::now();
    let failure = fails(&instance, "", PATIENCE).await;
    assert_eq!(failure.cause, FailureCause::Exited);
    assert!(failure.message.starts_with("not called: the hook runs on"), "{failure}");
    drop(instance);
    assert!(begun.elapsed() < SOON);
}

#[tokio::test]
async fn a_load_that_cannot_be_ended_holds_up_nobody() {
    let hook =
        hook("[].indexOf.call({ length: 2 ** 52 }, 1, 2 ** 52 - 1e8);").limits(Limits::default().load_timeout(SHORT));
    let instance = hook.start().await;
    assert_eq!(instance.state(), InstanceState::Stuck);
    assert_eq!(call(&instance, json!({})).await.reply.unwrap_err().cause, FailureCause::Exited);
}

#[tokio::test]
async fn closing_answers_what_is_under_way() {
    for code in ["while (true) {}", "await new Promise(() => {})"] {
        let instance = evaluating().start().await;
        let (looping, queued, ()) = tokio::join!(
            call_within(&instance, json!({ "code": code, "async": true }), Duration::from_secs(60)),
            call_within(&instance, json!({ "code": code, "async": true }), Duration::from_secs(60)),
            async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                instance.close();
            }
        );
        assert_eq!(looping.reply.unwrap_err().cause, FailureCause::Exited);
        assert_eq!(queued.reply.unwrap_err().cause, FailureCause::Exited);
        let after = call(&instance, json!({})).await.reply.unwrap_err();
        assert_eq!((after.cause, &*after.message), (FailureCause::Exited, "the hook's instance has ended"));
        assert_eq!(instance.loaded().await, InstanceState::Ended);
    }
}

#[tokio::test]
async fn an_instance_can_be_closed_while_it_loads() {
    for source in
        ["while (true) {}", "await new Promise((resolve) => setTimeout(resolve, 60_000));", "export default 1"]
    {
        let instance = hook(source).spawn();
        let begun = Instant::now();
        let (answer, ()) = tokio::join!(call(&instance, json!({})), async { instance.close() });
        answer.reply.unwrap_err();
        drop(instance);
        drop(hook(source).spawn());
        assert!(begun.elapsed() < SOON, "{source}");
    }
}

#[tokio::test]
async fn many_instances_work_in_parallel() {
    let hook = evaluating();
    let instances: Vec<_> = (0..30).map(|_| hook.spawn()).collect();
    let notes = join_all(instances.iter().map(|instance| counter(instance))).await;
    assert!(notes.iter().all(|note| note == "1"), "their states are their own");
    let looping = instances.iter().map(|instance| fails(instance, "while (true) {}", SHORT));
    for failure in join_all(looping).await {
        assert_eq!(failure.cause, FailureCause::TimedOut);
    }
    // On a busy machine the time is up before some have begun to loop: these are the same as before.
    let notes = join_all(instances.iter().map(|instance| counter(instance))).await;
    assert!(notes.iter().all(|note| note == "1" || note == "2"), "{notes:?}");
}

#[tokio::test]
async fn a_hook_that_breaks_again_rests() {
    let instance = evaluating().start().await;
    let begun = Instant::now();
    // Every break but the first is followed by a rest. On a machine that stands still, that is over before the next call
    // comes, and the hook breaks once more.
    let failure = loop {
        let failure = fails(&instance, "while (true) {}", SHORT).await;
        if failure.cause == FailureCause::Exited {
            break failure;
        }
        assert_eq!(failure.cause, FailureCause::TimedOut, "{failure}");
        assert!(begun.elapsed() < PATIENCE);
        if let InstanceState::Restarting(_) = instance.state() {
            instance.loaded().await;
        }
    };
    assert!(failure.message.contains("rests"), "{failure}");
    // It ends.
    let begun = Instant::now();
    while let Err(failure) = call(&instance, json!({})).await.reply {
        assert_eq!(failure.cause, FailureCause::Exited, "{failure}");
        assert!(begun.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_good_answer_ends_the_worry() {
    let instance = evaluating().start().await;
    for _ in 0..4 {
        assert_eq!(fails(&instance, "while (true) {}", SHORT).await.cause, FailureCause::TimedOut);
        assert_eq!(counter(&instance).await, "1");
    }
}

#[tokio::test]
async fn a_hook_whose_load_fails_is_tried_again_after_a_rest() {
    let hook =
        hook("import value from './late.mjs'; export default { run: () => ({ action: 'allow', note: value }) };");
    let instance = hook.start().await;
    assert!(matches!(instance.state(), InstanceState::Resting(_)));
    assert_eq!(call(&instance, json!({})).await.reply.unwrap_err().cause, FailureCause::LoadFailed);
    let _hook = hook.file("late.mjs", "export default 'here';");
    let begun = Instant::now();
    loop {
        match call(&instance, json!({})).await.reply {
            Ok(text) => break assert!(text.contains("here")),
            Err(failure) => assert_eq!(failure.cause, FailureCause::LoadFailed, "{failure}"),
        }
        assert!(begun.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The circuit: one call tries the hook again, and nobody else waits for that.
#[tokio::test]
async fn while_a_hook_is_tried_again_other_calls_fail_at_once() {
    let hook = hook("import './step.mjs'; export default { run: () => ({ action: 'allow', note: 'up' }) };");
    let hook = hook.file("step.mjs", "import './never.mjs';");
    let hook = hook.limits(Limits::default().load_timeout(Duration::from_secs(60)));
    let instance = hook.start().await;
    assert!(matches!(instance.state(), InstanceState::Resting(_)));
    // The retry takes until the test opens the gate.
    let hook = hook.file(
        "step.mjs",
        "for (;;) {
             try { await import('./gate.mjs'); break; } catch { await new Promise((resolve) => setTimeout(resolve, 20)); }
         }",
    );
    let begun = Instant::now();
    // The call after the rest is the one that tries.
    let trying = async {
        loop {
            match call(&instance, json!({})).await.reply {
                Ok(text) => break text,
                Err(failure) => assert_eq!(failure.cause, FailureCause::LoadFailed, "{failure}"),
            }
            assert!(begun.elapsed() < PATIENCE);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let other = async {
        until("the retry", || matches!(instance.state(), InstanceState::Retrying(_))).await;
        let asked = Instant::now();
        let failure = call(&instance, json!({})).await.reply.unwrap_err();
        let waited = asked.elapsed();
        assert!(matches!(instance.state(), InstanceState::Retrying(_)));
        let _hook = hook.file("gate.mjs", "");
        (failure.cause, waited)
    };
    let (text, (cause, waited)) = tokio::join!(trying, other);
    assert!(text.contains("up"));
    assert_eq!(cause, FailureCause::LoadFailed);
    assert!(waited < SOON, "it waited {waited:?}");
    assert_eq!(instance.state(), InstanceState::Ready);
}

/// A hook that breaks and then hangs while it is loaded: the loop does not wait for its load limit.
#[tokio::test]
async fn a_restart_that_hangs_holds_up_nobody() {
    let hook = evaluating().file("step.mjs", "").limits(Limits::default().load_timeout(Duration::from_secs(60)));
    let hook = hook.file(
        "index.mjs",
        "import './step.mjs';
         export default { run(point, payload) { if (payload.code) for (;;); return { action: 'allow' }; } };",
    );
    let instance = hook.start().await;
    let _hook = hook.file("step.mjs", "await new Promise((resolve) => setTimeout(resolve, 1e6));");
    assert_eq!(fails(&instance, "loop", SHORT).await.cause, FailureCause::TimedOut);
    until("the restart", || matches!(instance.state(), InstanceState::Restarting(_))).await;
    let failure = fails(&instance, "", SHORT).await;
    assert_eq!(failure.cause, FailureCause::TimedOut, "{failure}");
}

#[tokio::test]
async fn a_hook_that_is_stuck_is_taken_over() {
    let instance = evaluating().start().await;
    let waiting = json!({ "code": "await new Promise(() => {})", "async": true });
    let (waiting, stuck) = tokio::join!(
        call_within(&instance, waiting, Duration::from_secs(60)),
        fails(&instance, "[].indexOf.call({ length: 2 ** 53 - 1 }, 1, 2 ** 53 - 1e9)", SHORT),
    );
    assert_eq!(stuck.cause, FailureCause::TimedOut);
    // It fell with the thread.
    let failure = waiting.reply.unwrap_err();
    assert!(failure.message.contains("cannot be ended"), "{failure}");
    assert_eq!(counter(&instance).await, "1", "another thread, another isolate");
    assert_eq!(instance.breaks(), 1);
}
