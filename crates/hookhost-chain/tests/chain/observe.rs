//! Hooks that only watch.

use hookhost_chain::ChainHook;
use hookhost_chain::testing::ScriptedHook;
use hookhost_contract::{Action, FailureCause, Mode, Point};
use serde_json::json;

use crate::support::*;

fn observing(hook: ChainHook) -> ChainHook {
    ChainHook { mode: Mode::Observe, ..hook }
}

fn failing(policy: &str) -> ChainHook {
    let engine = ScriptedHook::failing(FailureCause::Threw, "oops");
    hook("watch", json!({ "failPolicy": policy, "mode": "observe" }), &engine)
}

#[test]
fn the_manifest_says_who_observes() {
    let engine = ScriptedHook::replying(json!({ "action": "block" }));
    assert_eq!(hook("h", json!({ "mode": "observe" }), &engine).mode, Mode::Observe);
    assert_eq!(hook("h", json!({}), &engine).mode, Mode::Enforce);
}

#[test]
fn whatever_an_observer_answers_has_no_effect() {
    for point in TURN {
        let field = point.mutable_field().unwrap_or("text");
        let watchers = [
            (allows("watch"), Action::Allow, None),
            (blocks("watch", "no"), Action::Block, Some("no")),
            (asks("watch", "sure?"), Action::Ask, Some("sure?")),
            (modifies("watch", json!({ field: new_value(&point) })), Action::Modify, None),
            (injects("watch", "look"), Action::Inject, None),
            (failing("closed"), Action::Block, Some("Hook \"watch\" failed (fail-closed)")),
            (failing("open"), Action::Allow, None),
        ];
        for (watcher, action, reason) in watchers {
            let later = ScriptedHook::replying(json!({ "action": "allow" }));
            let decision = decide(vec![observing(watcher), hook("later", json!({}), &later)], call(&point));
            assert_eq!(decision.action, Action::Allow, "{point} {action}");
            assert_eq!((&decision.reason, &decision.hook, &decision.approval), (&None, &None, &None));
            assert_eq!(decision.output, decision.input);
            assert_eq!((decision.injections.len(), decision.messages.len()), (0, 0));
            assert_eq!(ran(&decision), ["watch", "later"]);
            let unchanged = serde_json::to_string(&decision.input).unwrap();
            assert_eq!(*later.seen()[0].payload, unchanged);

            let run = &decision.runs[0];
            assert_eq!((run.action, run.mode, run.changed), (action, Mode::Observe, false), "{point}");
            assert_eq!(run.reason.as_deref(), reason);
        }
    }
}

#[test]
fn an_observer_beside_any_enforcer_changes_nothing() {
    let replies = [
        json!({ "action": "allow" }),
        json!({ "action": "modify", "payload": { "text": "x" } }),
        json!({ "action": "inject_context", "context_injection": "look" }),
        json!({ "action": "ask", "reason": "sure?" }),
        json!({ "action": "block", "reason": "no" }),
        json!(null),
    ];
    for enforced in &replies {
        let alone = decide(vec![answers("enforce", enforced.clone())], call(&Point::PreInput));
        for observed in &replies {
            let observed = || observing(answers("watch", observed.clone()));
            let enforced = || answers("enforce", enforced.clone());
            for hooks in [vec![observed(), enforced()], vec![enforced(), observed()]] {
                let decision = decide(hooks, call(&Point::PreInput));
                assert_eq!(
                    (decision.action, &decision.reason, &decision.hook, &decision.output),
                    (alone.action, &alone.reason, &alone.hook, &alone.output)
                );
                assert_eq!(decision.injections, alone.injections);
            }
        }
    }
}

#[test]
fn an_observer_sees_what_enforcers_changed() {
    let watch = ScriptedHook::replying(json!({ "action": "allow" }));
    let hooks = vec![modifies("m", json!({ "text": "x" })), hook("watch", json!({ "mode": "observe" }), &watch)];
    decide(hooks, call(&Point::PreInput));
    assert_eq!(&*watch.seen()[0].payload, r#"{"text":"x","source":"chat"}"#);
}

#[test]
fn an_observers_record_is_what_it_would_have_decided() {
    let watcher = observing(modifies("watch", json!({ "text": "x", "source": "spoofed" })));
    let decision = decide(vec![watcher], call(&Point::PreInput));
    assert_eq!(only_run(&decision).dropped, ["source"]);

    let broken = observing(modifies("watch", json!({ "text": 3 })));
    let decision = decide(vec![broken], call(&Point::PreInput));
    let run = only_run(&decision);
    assert_eq!(run.failure.as_ref().unwrap().cause, FailureCause::InvalidDecision);
    assert_eq!((run.action, decision.action), (Action::Block, Action::Allow));
}

#[test]
fn an_observer_does_not_speak_to_the_user_and_its_log_is_kept() {
    let engine = ScriptedHook::new(|_| hookhost_contract::Answer {
        reply: Ok(r#"{"action":"allow","user_message":"hi"}"#.into()),
        logs: vec!["seen".into()],
    });
    let watcher = hook("watch", json!({ "mode": "observe" }), &engine);
    let decision = decide(vec![watcher], call(&Point::PreInput));
    assert_eq!(decision.messages, []);
    assert_eq!(decision.logs[0].message, "seen");
}
