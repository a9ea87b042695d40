//! Which answers a hook may give, with and without the capability for them.

use hookhost_chain::testing::ScriptedHook;
use hookhost_chain::{ChainHook, Permit};
use hookhost_contract::{Action, Capability, Decision, FailPolicy, FailureCause, Manifest, Mode, Point, Sandbox};
use serde_json::{Value, json};

use crate::support::*;

/// A hook with these capabilities, as a host with this sandbox makes it.
fn with(sandbox: Sandbox, capabilities: &[Capability], reply: Value) -> ChainHook {
    let manifest = Manifest { capabilities: capabilities.to_vec(), ..Manifest::default() };
    ChainHook { permit: Permit::of(&manifest, sandbox), ..answers("h", reply) }
}

fn enforced(capabilities: &[Capability], reply: Value) -> ChainHook {
    with(Sandbox::Enforced, capabilities, reply)
}

/// Everything that a manifest may declare, but one.
fn all_but(one: Capability) -> Vec<Capability> {
    Capability::ALL.iter().copied().filter(|capability| *capability != one).collect()
}

fn modify(point: &Point) -> Value {
    json!({ "action": "modify", "payload": { point.mutable_field().unwrap_or("n"): new_value(point) } })
}

/// The failure that `capability` is missing, as the record has it.
fn breach(decision: &Decision, capability: Capability) {
    let failure = only_run(decision).failure.as_ref().unwrap_or_else(|| panic!("no failure: {decision:?}"));
    assert_eq!(failure.cause, FailureCause::InvalidDecision);
    let advice = format!("needs the capability `{capability}`: add it to `capabilities` in hook.json");
    assert!(failure.message.ends_with(&advice), "{failure}");
    assert!(failure.message.contains(&format!("at {}", decision.point)), "{failure}");
}

/// An answer that needs a capability at a point, and the one that it needs.
fn gated() -> Vec<(Point, Value, Capability)> {
    let mut gated = Vec::new();
    for (point, capability) in [
        (Point::PreInput, Capability::ModifiesInput),
        (Point::PreToolUse, Capability::ModifiesToolIo),
        (Point::PostToolUse, Capability::ModifiesToolIo),
        (Point::PreOutput, Capability::ModifiesOutput),
    ] {
        gated.push((point.clone(), modify(&point), capability));
    }
    for point in [Point::PreToolUse, Point::PostToolUse] {
        for action in ["block", "deny", "ask", "ask_user"] {
            gated.push((point.clone(), json!({ "action": action, "reason": "no" }), Capability::GatesTools));
        }
    }
    gated
}

#[test]
fn an_answer_counts_with_the_capability_for_it() {
    for (point, reply, capability) in gated() {
        let plain = decide(vec![answers("h", reply.clone())], call(&point));
        assert!(plain.action >= Action::Modify, "{plain:?}");
        let decision = decide(vec![enforced(&[capability], reply)], call(&point));
        assert_eq!(only_run(&decision).failure, None, "{decision:?}");
        assert_eq!((decision.action, &decision.output), (plain.action, &plain.output));
    }
}

#[test]
fn an_answer_without_the_capability_for_it_is_a_failure() {
    for (point, reply, capability) in gated() {
        for capabilities in [vec![], all_but(capability)] {
            let decision = decide(vec![enforced(&capabilities, reply.clone())], call(&point));
            breach(&decision, capability);
            assert_eq!(decision.action, Action::Block, "{decision:?}");
            assert_eq!(decision.reason.as_deref(), Some("Hook \"h\" failed (fail-closed)"));
            assert_eq!(decision.output, decision.input);

            let open = ChainHook { fail_policy: Some(FailPolicy::Open), ..enforced(&capabilities, reply.clone()) };
            let decision = decide(vec![open], call(&point));
            breach(&decision, capability);
            assert_eq!((decision.action, &decision.output), (Action::Allow, &decision.input));
        }
    }
}

#[test]
fn where_capabilities_are_intent_every_answer_counts() {
    for (point, reply, _) in gated() {
        let plain = decide(vec![answers("h", reply.clone())], call(&point));
        let decision = decide(vec![with(Sandbox::Advisory, &[], reply)], call(&point));
        assert_eq!(only_run(&decision).failure, None, "{decision:?}");
        assert_eq!((decision.action, &decision.output), (plain.action, &plain.output));
    }
}

/// What a hook reads is fixed by its points; the network, the environment and the store are no answers.
#[test]
fn the_capabilities_that_are_no_answers_decide_nothing_here() {
    for capability in [
        Capability::ReadsInput,
        Capability::ReadsOutput,
        Capability::ReadsToolIo,
        Capability::Network,
        Capability::Secrets,
        Capability::StoreRead,
    ] {
        for sandbox in [Sandbox::Advisory, Sandbox::Enforced] {
            for point in GUARDED {
                let engine = ScriptedHook::replying(json!({ "action": "allow" }));
                let manifest = Manifest { capabilities: all_but(capability), ..Manifest::default() };
                let hook = ChainHook { permit: Permit::of(&manifest, sandbox), ..hook("h", json!({}), &engine) };
                let decision = decide(vec![hook], call(&point));
                assert_eq!((decision.action, &only_run(&decision).failure), (Action::Allow, &None));
                let payload: Value = serde_json::from_str(&engine.seen()[0].payload).unwrap();
                assert_eq!(payload, Value::Object(decision.input), "{capability} {sandbox}");
            }
        }
    }
}

#[test]
fn a_modify_that_changes_nothing_is_a_modify() {
    let same = json!({ "action": "modify", "payload": { "text": "hello" } });
    breach(&decide(vec![enforced(&[], same)], call(&Point::PreInput)), Capability::ModifiesInput);
    let empty = json!({ "action": "modify", "payload": {} });
    breach(&decide(vec![enforced(&[], empty)], call(&Point::PreInput)), Capability::ModifiesInput);
}

#[test]
fn text_points_stop_without_a_capability() {
    for point in [Point::PreInput, Point::PreOutput] {
        for (action, expected) in [("block", Action::Block), ("ask", Action::Ask)] {
            let decision = decide(vec![enforced(&[], json!({ "action": action }))], call(&point));
            assert_eq!((decision.action, &only_run(&decision).failure), (expected, &None));
        }
    }
}

#[test]
fn an_inject_and_an_allow_need_nothing() {
    for point in TURN {
        for action in ["allow", "continue", "inject_context"] {
            let reply = json!({ "action": action, "context_injection": "look" });
            let decision = decide(vec![enforced(&[], reply)], call(&point));
            assert_eq!(only_run(&decision).failure, None, "{point} {action}");
        }
    }
}

#[test]
fn after_the_turn_nothing_is_needed() {
    for reply in [modify(&Point::PostTurn), json!({ "action": "block" }), json!({ "action": "ask" })] {
        let decision = decide(vec![enforced(&[], reply)], call(&Point::PostTurn));
        assert_eq!((decision.action, &only_run(&decision).failure), (Action::Allow, &None));
    }
}

#[test]
fn events_of_tools_are_like_tool_points() {
    let event = |name: &str| name.parse::<Point>().unwrap();
    for name in ["tool:pre", "tool:post"] {
        let point = event(name);
        breach(&decide(vec![at(&point, modify(&point))], call(&point)), Capability::ModifiesToolIo);
        breach(&decide(vec![at(&point, json!({ "action": "deny" }))], call(&point)), Capability::GatesTools);
        breach(&decide(vec![at(&point, json!({ "action": "ask_user" }))], call(&point)), Capability::GatesTools);
    }
    let point = event("prompt:submit");
    for reply in [modify(&point), json!({ "action": "deny" })] {
        assert_eq!(only_run(&decide(vec![at(&point, reply)], call(&point))).failure, None);
    }

    fn at(point: &Point, reply: Value) -> ChainHook {
        ChainHook { points: vec![point.clone()], ..enforced(&[], reply) }
    }
}

#[test]
fn an_observers_breach_is_recorded_and_decides_nothing() {
    let reply = json!({ "action": "block", "reason": "no", "user_message": "seen" });
    let watcher = ChainHook { mode: Mode::Observe, ..enforced(&[], reply) };
    let decision = decide(vec![watcher], call(&Point::PreToolUse));
    breach(&decision, Capability::GatesTools);
    assert_eq!((decision.action, decision.messages.len()), (Action::Allow, 0));
}

#[test]
fn what_is_no_answer_is_told_first() {
    let decision = decide(vec![enforced(&[], json!({ "action": "modify" }))], call(&Point::PreInput));
    let failure = only_run(&decision).failure.as_ref().unwrap();
    assert!(failure.message.contains("its `payload` is missing"), "{failure}");
}

#[test]
fn each_answer_is_named() {
    let text = |point: &Point, reply: Value| {
        let decision = decide(vec![enforced(&[], reply)], call(point));
        only_run(&decision).failure.as_ref().unwrap().message.clone()
    };
    let texts = [
        text(&Point::PreInput, modify(&Point::PreInput)),
        text(&Point::PreToolUse, json!({ "action": "deny" })),
        text(&Point::PostToolUse, json!({ "action": "ask_user" })),
    ];
    assert_eq!(
        texts,
        [
            "the reply is a modify, and at preInput that needs the capability `modifies_input`: add it to \
             `capabilities` in hook.json",
            "the reply is a block, and at preToolUse that needs the capability `gates_tools`: add it to `capabilities` \
             in hook.json",
            "the reply is an ask, and at postToolUse that needs the capability `gates_tools`: add it to `capabilities` \
             in hook.json",
        ]
    );
}
