//! What each decision does at each point, and how several make one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::executor::block_on;
use hookhost_chain::testing::ScriptedHook;
use hookhost_chain::{Chain, ChainHook, HookFuture, RunHook};
use hookhost_contract::{
    Action, Answer, Approval, ApprovalDefault, Call, CallContext, Caller, Injection, InjectionRole, Invocation,
    Manifest, MessageLevel, Mode, Point,
};
use serde_json::{Value, json};

use crate::support::*;

#[test]
fn a_block_stops_the_call_at_every_guarded_point() {
    for point in GUARDED {
        let decision = decide(vec![blocks("guard", "no")], call(&point));
        assert_eq!(decision.action, Action::Block, "{point}");
        assert_eq!(decision.reason.as_deref(), Some("no"));
        assert_eq!(decision.hook.as_deref(), Some("guard"));
        assert_eq!(decision.output, decision.input);
        assert_eq!(decision.point, point);
        let run = only_run(&decision);
        assert_eq!(run.action, Action::Block);
        assert_eq!(run.reason.as_deref(), Some("no"));
        assert_eq!((run.failure.as_ref(), run.changed, run.mode), (None, false, Mode::Enforce));
    }
}

#[test]
fn a_modify_changes_the_points_own_field() {
    for point in GUARDED {
        let field = point.mutable_field().unwrap();
        let reply = json!({ "action": "modify", "payload": { field: new_value(&point) }, "note": "tidied" });
        let decision = decide(vec![answers("tidy", reply)], call(&point));
        assert_eq!(decision.action, Action::Modify, "{point}");
        assert_eq!(decision.hook.as_deref(), Some("tidy"));
        assert_eq!(decision.reason, None);
        assert_eq!(decision.output[field], new_value(&point));
        assert_eq!(decision.input, call(&point).payload);
        let mut expected = decision.input.clone();
        expected.insert(field.to_owned(), new_value(&point));
        assert_eq!(decision.output, expected);
        // The keys keep their places.
        assert!(decision.output.keys().eq(decision.input.keys()), "{point}");
        let run = only_run(&decision);
        assert!(run.changed && run.dropped.is_empty());
        assert_eq!(run.note.as_deref(), Some("tidied"));
    }
}

#[test]
fn a_modify_of_anything_else_is_dropped_and_recorded() {
    for point in GUARDED {
        let mut reply = call(&point).payload;
        for (key, value) in &mut reply {
            if Some(key.as_str()) != point.mutable_field() {
                *value = json!({ "not": "allowed" });
            }
        }
        reply.insert("extra".into(), json!(1));
        let decision = decide(vec![modifies("sly", Value::Object(reply.clone()))], call(&point));
        assert_eq!(decision.action, Action::Allow, "{point}");
        assert_eq!(decision.hook, None);
        assert_eq!(decision.output, decision.input);
        let run = only_run(&decision);
        assert_eq!((run.action, run.changed), (Action::Modify, false));
        let expected: Vec<_> = reply.keys().filter(|key| Some(key.as_str()) != point.mutable_field()).collect();
        assert_eq!(run.dropped.iter().collect::<Vec<_>>(), expected, "{point}");
    }
}

#[test]
fn an_ask_goes_to_a_person_at_every_guarded_point() {
    for point in GUARDED {
        let reply = json!({ "action": "ask_user", "reason": "sure?", "approval_prompt": "Go?",
            "approval_options": ["Yes", "No"], "approval_timeout": 5, "approval_default": "allow" });
        let decision = decide(vec![answers("careful", reply)], call(&point));
        assert_eq!(decision.action, Action::Ask, "{point}");
        assert_eq!(decision.reason.as_deref(), Some("sure?"));
        assert_eq!(decision.hook.as_deref(), Some("careful"));
        assert_eq!(decision.output, decision.input);
        let terms = Approval {
            prompt: Some("Go?".into()),
            options: Some(vec!["Yes".into(), "No".into()]),
            timeout_seconds: 5.0,
            default: ApprovalDefault::Allow,
        };
        assert_eq!(decision.approval, Some(terms));
    }
}

#[test]
fn after_the_turn_everything_is_recorded_only() {
    let hooks = vec![
        blocks("block", "no"),
        asks("ask", "sure?"),
        modifies("modify", json!({ "text": "x", "usage": {} })),
        injects("inject", "look"),
        allows("allow"),
    ];
    let decision = decide(hooks, call(&Point::PostTurn));
    assert_eq!(decision.action, Action::Allow);
    assert_eq!((decision.reason, decision.hook, decision.approval), (None, None, None));
    assert_eq!(decision.output, decision.input);
    assert_eq!(decision.injections, []);
    let actions: Vec<_> = decision.runs.iter().map(|run| run.action).collect();
    // A block ends nothing here: the later hooks have their own records to make.
    assert_eq!(actions, [Action::Block, Action::Ask, Action::Modify, Action::Inject, Action::Allow]);
    assert_eq!(decision.runs[0].reason.as_deref(), Some("no"));
    assert_eq!(decision.runs[2].dropped, ["text", "usage"]);
    assert!(decision.runs.iter().all(|run| !run.changed));
}

#[test]
fn an_event_is_modified_in_any_field() {
    let event = Point::Event("tool:pre".into());
    let engines = [
        ScriptedHook::replying(json!({ "action": "modify", "data": { "n": 2, "more": true } })),
        ScriptedHook::replying(json!({ "action": "modify", "data": { "tool": "none" } })),
    ];
    let hooks = engines.iter().map(|engine| hook("h", json!({ "points": ["tool:pre"] }), engine)).collect();
    let decision = decide(hooks, call(&event));
    assert_eq!(decision.action, Action::Modify);
    assert_eq!(Value::Object(decision.output), json!({ "tool": "none", "n": 2, "more": true }));
    assert_eq!(&*engines[1].seen()[0].payload, r#"{"tool":"shell","n":2,"more":true}"#);
}

#[test]
fn reasons_have_defaults() {
    for (reply, reason) in [
        (json!({ "action": "block" }), "Hook \"h\" blocked this call"),
        (json!({ "action": "deny", "reason": " " }), "Hook \"h\" blocked this call"),
        (json!({ "action": "ask", "reason": 7 }), "Hook \"h\" asks for approval"),
    ] {
        let decision = decide(vec![answers("h", reply)], call(&Point::PreInput));
        assert_eq!(decision.reason.as_deref(), Some(reason));
        assert_eq!(only_run(&decision).reason.as_deref(), Some(reason));
    }
}

#[test]
fn a_block_ends_the_chain() {
    let later = ScriptedHook::replying(json!({ "action": "allow" }));
    let hooks = vec![allows("a"), blocks("b", "no"), hook("c", json!({}), &later)];
    let decision = decide(hooks, call(&Point::PreToolUse));
    assert_eq!(ran(&decision), ["a", "b"]);
    assert!(later.seen().is_empty());
}

#[test]
fn a_block_outranks_an_ask_before_it() {
    let hooks = vec![asks("ask", "sure?"), blocks("block", "no")];
    let decision = decide(hooks, call(&Point::PreToolUse));
    assert_eq!(decision.action, Action::Block);
    assert_eq!(decision.reason.as_deref(), Some("no"));
    assert_eq!(decision.hook.as_deref(), Some("block"));
    assert_eq!(decision.approval, None);
    assert_eq!(decision.runs[0].reason.as_deref(), Some("sure?"));
}

#[test]
fn the_first_ask_leads_and_all_are_recorded() {
    let first = json!({ "action": "ask", "reason": "one", "approval_timeout": 1 });
    let second = json!({ "action": "ask", "reason": "two", "approval_timeout": 2 });
    let decision = decide(vec![answers("a", first), answers("b", second)], call(&Point::PreToolUse));
    assert_eq!(decision.reason.as_deref(), Some("one"));
    assert_eq!(decision.hook.as_deref(), Some("a"));
    assert_eq!(decision.approval.map(|terms| terms.timeout_seconds), Some(1.0));
    let reasons: Vec<_> = decision.runs.iter().map(|run| run.reason.as_deref()).collect();
    assert_eq!(reasons, [Some("one"), Some("two")]);
}

#[test]
fn a_rewritten_payload_stays_rewritten() {
    for last in [asks("last", "sure?"), blocks("last", "no"), injects("last", "look")] {
        let hooks = vec![modifies("modify", json!({ "args": { "command": "pwd" } })), last];
        let decision = decide(hooks, call(&Point::PreToolUse));
        assert!(decision.action > Action::Modify);
        assert_eq!(decision.hook.as_deref(), Some("last"));
        assert_eq!(decision.output["args"], json!({ "command": "pwd" }));
        assert_eq!(decision.input["args"], json!({ "command": "ls" }));
    }
    // And an ask does not keep later hooks from rewriting: the approval is of the final payload.
    let hooks = vec![asks("ask", "sure?"), modifies("modify", json!({ "args": {} }))];
    let decision = decide(hooks, call(&Point::PreToolUse));
    assert_eq!((decision.action, &decision.output["args"]), (Action::Ask, &json!({})));
}

#[test]
fn each_hook_sees_the_payload_as_the_earlier_ones_left_it() {
    let engines = [
        ScriptedHook::replying(json!({ "action": "allow" })),
        ScriptedHook::replying(json!({ "action": "modify", "payload": { "text": "one", "source": "spoofed" } })),
        ScriptedHook::replying(json!({ "action": "modify", "payload": { "text": "two" } })),
        ScriptedHook::replying(json!({ "action": "allow" })),
    ];
    let hooks = engines.iter().map(|engine| hook("h", json!({}), engine)).collect();
    let decision = decide(hooks, Call::pre_input("zero"));
    let seen: Vec<_> = engines.iter().map(|engine| engine.seen()[0].payload.clone()).collect();
    for (payload, text) in seen.iter().zip(["zero", "zero", "one", "two"]) {
        assert_eq!(**payload, format!(r#"{{"text":"{text}","source":"chat"}}"#));
    }
    assert!(Arc::ptr_eq(&seen[0], &seen[1]), "one text for hooks that change nothing");
    assert_eq!(decision.output["text"], "two");
    let changed: Vec<_> = decision.runs.iter().map(|run| run.changed).collect();
    assert_eq!(changed, [false, true, true, false]);
}

#[test]
fn a_change_that_is_taken_back_leaves_an_allow() {
    let hooks = vec![modifies("there", json!({ "text": "x" })), modifies("back", json!({ "text": "hello" }))];
    let decision = decide(hooks, call(&Point::PreInput));
    assert_eq!((decision.action, decision.hook.as_deref()), (Action::Allow, None));
    assert_eq!(decision.output, decision.input);
    assert!(decision.runs.iter().all(|run| run.action == Action::Modify && run.changed));
}

#[test]
fn injections_are_collected_and_the_chain_goes_on() {
    let second = json!({ "action": "inject_context", "context_injection": "two", "context_injection_role": "user",
        "ephemeral": true, "append_to_last_tool_result": true });
    let hooks = vec![modifies("m", json!({ "text": "x" })), injects("a", "one"), answers("b", second)];
    let decision = decide(hooks, call(&Point::PreInput));
    assert_eq!((decision.action, decision.hook.as_deref()), (Action::Inject, Some("a")));
    assert_eq!(decision.output["text"], "x");
    let one = Injection {
        hook: "a".into(),
        content: "one".into(),
        role: InjectionRole::System,
        ephemeral: false,
        append_to_last_tool_result: false,
    };
    let two = Injection {
        hook: "b".into(),
        content: "two".into(),
        role: InjectionRole::User,
        ephemeral: true,
        append_to_last_tool_result: true,
    };
    assert_eq!(decision.injections, [one, two]);
}

#[test]
fn messages_and_logs_carry_their_hooks_name() {
    let noisy = ScriptedHook::new(|_| Answer {
        reply: Ok(r#"{"action":"block","user_message":"look","user_message_level":"error"}"#.into()),
        logs: vec!["one".into(), "two".into()],
    });
    let quiet = answers("quiet", json!({ "action": "allow", "user_message": "fine" }));
    let decision = decide(vec![quiet, hook("noisy", json!({}), &noisy)], call(&Point::PreInput));
    let messages: Vec<_> =
        decision.messages.iter().map(|message| (message.hook.as_str(), message.text.as_str(), message.level)).collect();
    assert_eq!(messages, [("quiet", "fine", MessageLevel::Info), ("noisy", "look", MessageLevel::Error)]);
    let logs: Vec<_> = decision.logs.iter().map(|log| (log.hook.as_str(), log.message.as_str())).collect();
    assert_eq!(logs, [("noisy", "one"), ("noisy", "two")]);
}

#[test]
fn a_hook_gets_the_calls_context_and_its_own_time_limit() {
    let engine = ScriptedHook::replying(json!({ "action": "allow" }));
    let slow = hook("slow", json!({ "timeoutMs": 20 }), &engine);
    let plain = hook("plain", json!({}), &engine);
    let env = BTreeMap::from([("REGION".to_owned(), "eu".to_owned())]);
    let caller = Caller { user_id: Some("u1".into()), ..Caller::default() };
    let call = call(&Point::PreInput)
        .caller(caller.clone())
        .scope_id("s")
        .context(BTreeMap::from([("k".to_owned(), "v".to_owned())]))
        .turn("session", "turn");
    block_on(Chain::new(vec![slow, plain], env.clone(), None).decide(call));
    let seen = engine.seen();
    let expected = CallContext {
        caller: Some(caller),
        env,
        scope_id: Some("s".into()),
        context: Some(BTreeMap::from([("k".to_owned(), "v".to_owned())])),
        session_id: Some("session".into()),
        turn_id: Some("turn".into()),
    };
    assert_eq!(*seen[0].context, expected);
    assert!(Arc::ptr_eq(&seen[0].context, &seen[1].context));
    let timeouts: Vec<_> = seen.iter().map(|invocation| invocation.timeout.as_millis()).collect();
    assert_eq!(timeouts, [20, 1500]);
}

#[test]
fn no_hooks_allow_everything() {
    for point in TURN {
        let decision = decide(vec![], call(&point));
        assert_eq!((decision.action, decision.runs.len()), (Action::Allow, 0));
        assert_eq!(decision.output, call(&point).payload);
    }
}

#[test]
fn decisions_have_names_of_their_own() {
    let [a, b] = [0, 1].map(|_| decide(vec![], call(&Point::PreInput)).id);
    assert_ne!(a, b);
    assert_eq!(a.len(), 36);
}

#[test]
fn a_decision_that_is_given_up_asks_nobody_else() {
    struct Never;
    impl RunHook for Never {
        fn run<'a>(&'a self, _: &'a Invocation) -> HookFuture<'a> {
            Box::pin(std::future::pending())
        }
    }
    let later = ScriptedHook::replying(json!({ "action": "allow" }));
    let manifest = Manifest { points: vec![Point::PreInput], ..Manifest::default() };
    let never = ChainHook::new("never", &manifest, None, Duration::from_secs(1), Arc::new(Never)).unwrap();
    let chain = Chain::new(vec![never, hook("later", json!({}), &later)], BTreeMap::new(), None);
    assert_eq!(chain.decide(call(&Point::PreInput)).now_or_never(), None);
    assert!(later.seen().is_empty());
}

#[test]
fn a_decision_can_be_awaited_anywhere() {
    fn anywhere<T: Send>(_: T) {}
    let chain = Chain::new(vec![], BTreeMap::new(), None);
    anywhere(chain.decide(call(&Point::PreInput)));
}
