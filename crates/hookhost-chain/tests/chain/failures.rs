//! Failing hooks, and what their policy makes of them.

use std::sync::Arc;
use std::time::Duration;

use hookhost_chain::testing::ScriptedHook;
use hookhost_chain::{ChainHook, HookFuture, RunHook};
use hookhost_contract::{Action, FailPolicy, Failure, FailureCause, Invocation, Manifest, Point};
use serde_json::{Value, json};

use crate::support::*;

const EVERY_POINT: [&str; 6] = ["preInput", "preToolUse", "postToolUse", "preOutput", "postTurn", "tool:pre"];

/// Every way to fail: the causes an engine reports, and replies that are no answer.
fn every_failure() -> Vec<(Arc<ScriptedHook>, FailureCause)> {
    let mut all: Vec<_> =
        FailureCause::ALL.iter().map(|&cause| (ScriptedHook::failing(cause, "as told"), cause)).collect();
    let deep = format!(r#"{{"action":"allow","x":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    for text in [
        "",
        "undefined",
        "null",
        "\"allow\"",
        "[]",
        "{}",
        r#"{"action":"Allow"}"#,
        r#"{"action":true}"#,
        r#"{"action":"allow""#,
        r#"{"action":"allow"} trailing"#,
        r#"{"action":"allow","x":1e999}"#,
        r#"{"action":"modify"}"#,
        r#"{"action":"modify","payload":"text"}"#,
        r#"{"action":"inject_context"}"#,
        &deep,
    ] {
        all.push((ScriptedHook::replying_text(text), FailureCause::InvalidDecision));
    }
    all
}

#[test]
fn the_policy_decides_at_every_point() {
    for name in EVERY_POINT {
        let point: Point = name.parse().unwrap();
        for policy in [None, Some(FailPolicy::Open), Some(FailPolicy::Closed)] {
            for (engine, cause) in every_failure() {
                let later = ScriptedHook::replying(json!({ "action": "allow" }));
                let mut manifest = json!({ "points": [name] });
                if let Some(policy) = policy {
                    manifest["failPolicy"] = json!(policy);
                }
                let hooks = vec![hook("guard", manifest, &engine), hook("later", json!({ "points": [name] }), &later)];
                let decision = decide(hooks, call(&point));

                let closed = policy.unwrap_or(point.default_fail_policy()) == FailPolicy::Closed;
                let run = &decision.runs[0];
                assert_eq!(run.failure.as_ref().unwrap().cause, cause, "{name} {policy:?}");
                assert_eq!(run.action == Action::Block, closed);
                assert_eq!(decision.output, decision.input);
                let reason = "Hook \"guard\" failed (fail-closed)";
                assert_eq!(run.reason.as_deref(), closed.then_some(reason));
                // After the turn even a closed hook can only be recorded.
                let stops = closed && point != Point::PostTurn;
                assert_eq!(decision.action == Action::Block, stops, "{name} {policy:?} {cause}");
                assert_eq!(decision.reason.as_deref(), stops.then_some(reason));
                assert_eq!(decision.hook.as_deref(), stops.then_some("guard"));
                assert_eq!(later.seen().is_empty(), stops);
            }
        }
    }
}

#[test]
fn a_value_that_the_loop_cannot_use_is_a_failure() {
    for (point, payload, message) in [
        (
            Point::PreInput,
            json!({ "text": 3 }),
            "the reply is a modify, but its `payload.text` is a number: write a string",
        ),
        (
            Point::PreOutput,
            json!({ "text": null }),
            "the reply is a modify, but its `payload.text` is null: write a string",
        ),
        (
            Point::PreToolUse,
            json!({ "args": ["ls"] }),
            "the reply is a modify, but its `payload.args` is a list: write an object, as the arguments were",
        ),
    ] {
        let decision = decide(vec![modifies("h", payload)], call(&point));
        assert_eq!(decision.action, Action::Block);
        assert_eq!(decision.output, decision.input);
        assert_eq!(only_run(&decision).failure, Some(Failure::new(FailureCause::InvalidDecision, message)));
    }
}

#[test]
fn a_failure_keeps_its_place_and_its_logs() {
    let failure = Failure::new(FailureCause::Threw, "TypeError: x is undefined").at(Some("index.mjs:3:9".into()));
    let expected = failure.clone();
    let engine = ScriptedHook::new(move |_| hookhost_contract::Answer {
        reply: Err(failure.clone()),
        logs: vec!["so far".into()],
    });
    let decision = decide(vec![hook("h", json!({}), &engine)], call(&Point::PreInput));
    assert_eq!(only_run(&decision).failure, Some(expected));
    assert_eq!(decision.logs[0].message, "so far");
}

#[test]
fn invalid_replies_say_what_to_write() {
    let decision = decide(vec![answers("h", json!({ "action": "Block" }))], call(&Point::PreInput));
    assert_eq!(only_run(&decision).failure.as_ref().unwrap().message, "unknown action `Block`: did you mean `block`?");
    let decision = decide(vec![hook("h", json!({}), &ScriptedHook::replying_text("{"))], call(&Point::PreInput));
    assert_eq!(
        only_run(&decision).failure.as_ref().unwrap().message,
        "the reply cannot be read as JSON: EOF while parsing an object at line 1 column 1"
    );
}

#[test]
fn an_open_failure_leaves_earlier_answers_alone() {
    let broken =
        hook("broken", json!({ "failPolicy": "open" }), &ScriptedHook::failing(FailureCause::TimedOut, "late"));
    let hooks = vec![modifies("m", json!({ "text": "x" })), asks("a", "sure?"), broken];
    let decision = decide(hooks, call(&Point::PreInput));
    assert_eq!(decision.action, Action::Ask);
    assert_eq!(decision.output["text"], Value::from("x"));
}

/// Panics before there is a future, or in it.
struct Panics {
    early: bool,
}

impl RunHook for Panics {
    fn run<'a>(&'a self, _: &'a Invocation) -> HookFuture<'a> {
        assert!(!self.early, "too early");
        Box::pin(async { panic!("hook {}", "lost") })
    }
}

#[test]
fn an_engine_that_panics_has_failed() {
    let manifest = Manifest { points: vec![Point::PreInput], ..Manifest::default() };
    for (early, message) in [(true, "the engine panicked: too early"), (false, "the engine panicked: hook lost")] {
        let engine = Arc::new(Panics { early });
        let hook = ChainHook::new("h", &manifest, None, Duration::from_secs(1), engine).unwrap();
        let decision = decide(vec![hook], call(&Point::PreInput));
        assert_eq!(decision.action, Action::Block);
        assert_eq!(only_run(&decision).failure, Some(Failure::new(FailureCause::Exited, message)));
    }
}
