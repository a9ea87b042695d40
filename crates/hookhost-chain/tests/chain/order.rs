//! Who is asked, and in which order.

use std::collections::BTreeMap;
use std::time::Duration;

use hookhost_chain::testing::ScriptedHook;
use hookhost_chain::{Chain, ChainHook};
use hookhost_contract::{Action, Call, Manifest, Point};
use serde_json::json;

use crate::support::*;

fn order(hooks: Vec<ChainHook>) -> Vec<String> {
    let chain = Chain::new(hooks, BTreeMap::new(), None);
    chain.hook_names().map(str::to_owned).collect()
}

fn placed(name: &str, priority: f64, rank: Option<usize>) -> ChainHook {
    ChainHook { priority, rank, ..allows(name) }
}

#[test]
fn rank_then_priority_then_loading() {
    let hooks = vec![
        placed("late", 10.0, None),
        placed("zero-a", 0.0, None),
        placed("second", -5.0, Some(1)),
        placed("zero-b", -0.0, None),
        placed("early", -1.5, None),
        placed("first", 99.0, Some(0)),
        placed("zero-c", 0.0, None),
    ];
    assert_eq!(order(hooks), ["first", "second", "early", "zero-a", "zero-b", "zero-c", "late"]);
}

#[test]
fn odd_priorities_have_a_place_too() {
    let hooks = vec![
        placed("nan", f64::NAN, None),
        placed("inf", f64::INFINITY, None),
        placed("zero", 0.0, None),
        placed("-inf", f64::NEG_INFINITY, None),
    ];
    assert_eq!(order(hooks), ["-inf", "zero", "inf", "nan"]);
}

#[test]
fn hooks_run_in_their_order() {
    let hooks = vec![placed("b", 2.0, None), placed("c", 3.0, None), placed("a", 1.0, None)];
    let decision = decide(hooks, call(&Point::PreInput));
    assert_eq!(ran(&decision), ["a", "b", "c"]);
}

#[test]
fn only_hooks_bound_to_the_point_are_asked() {
    let engine = ScriptedHook::replying(json!({ "action": "allow" }));
    let hooks = || {
        vec![
            hook("in", json!({ "points": ["preInput"] }), &engine),
            hook("both", json!({ "points": ["preInput", "preOutput"] }), &engine),
            hook("event", json!({ "points": ["tool:pre"] }), &engine),
        ]
    };
    assert_eq!(ran(&decide(hooks(), call(&Point::PreInput))), ["in", "both"]);
    assert_eq!(ran(&decide(hooks(), call(&Point::PreOutput))), ["both"]);
    assert!(decide(hooks(), call(&Point::PreToolUse)).runs.is_empty());
    let event = |name: &str| call(&Point::Event(name.into()));
    assert_eq!(ran(&decide(hooks(), event("tool:pre"))), ["event"]);
    assert!(decide(hooks(), event("tool:post")).runs.is_empty());
}

/// Whether a guard with this `match` is asked about the call.
fn is_asked(matches: serde_json::Value, call: Call) -> bool {
    let engine = ScriptedHook::replying(json!({ "action": "block" }));
    let guard = hook(
        "guard",
        json!({ "match": matches, "points": ["preInput", "preToolUse", "postToolUse", "tool:pre"] }),
        &engine,
    );
    let decision = decide(vec![guard], call);
    assert_eq!(decision.runs.is_empty(), engine.seen().is_empty());
    !decision.runs.is_empty()
}

#[test]
fn globs_filter_by_tool() {
    let store = || json!({ "toolName": ["store__*", "shell"] });
    for (tool, expected) in [("store__x", true), ("shell", true), ("fetch", false), ("", false)] {
        assert_eq!(is_asked(store(), Call::pre_tool_use(tool, json!({}))), expected, "{tool}");
        let after = Call::post_tool_use(tool, json!({}), json!(1), false);
        assert_eq!(is_asked(store(), after), expected, "{tool}");
    }
}

#[test]
fn a_call_that_names_no_tool_slips_past_no_guard() {
    let store = || json!({ "toolName": ["store__*"] });
    for payload in
        [json!({}), json!({ "toolName": null }), json!({ "toolName": ["fetch"] }), json!({ "toolname": "fetch" })]
    {
        let call = Call::new(Point::PreToolUse, fields(payload.clone()));
        assert!(is_asked(store(), call), "{payload}");
    }
    // Elsewhere the key means nothing.
    let payload = || fields(json!({ "toolName": "fetch" }));
    assert!(is_asked(store(), Call::new(Point::PreInput, payload())));
    assert!(is_asked(store(), Call::new(Point::Event("tool:pre".into()), payload())));
}

#[test]
fn a_match_without_globs_filters_nothing() {
    for matches in [json!({}), json!({ "toolName": [] })] {
        assert!(is_asked(matches, Call::pre_tool_use("fetch", json!({}))));
    }
}

#[test]
fn a_bad_glob_is_an_error_and_not_a_filter() {
    let manifest: Manifest =
        serde_json::from_value(json!({ "points": ["preToolUse"], "match": { "toolName": ["a{b"] } })).unwrap();
    let engine = ScriptedHook::replying(json!({ "action": "allow" }));
    let error = ChainHook::new("guard", &manifest, None, Duration::from_secs(1), engine).unwrap_err();
    assert_eq!((error.hook.as_str(), error.glob.as_str()), ("guard", "a{b"));
}

#[test]
fn one_hook_can_be_asked_alone() {
    let hooks = || vec![blocks("a", "no"), asks("b", "sure?"), allows("c")];
    for (name, action) in [("a", Action::Block), ("b", Action::Ask), ("c", Action::Allow)] {
        let decision = decide(hooks(), call(&Point::PreInput).only_hook(name));
        assert_eq!((decision.action, ran(&decision)), (action, vec![name]));
    }
}

#[test]
fn a_question_to_nobody_is_no_allow() {
    for point in TURN {
        let decision = decide(vec![allows("a")], call(&point).only_hook("b"));
        assert_eq!(decision.action, Action::Block);
        assert_eq!(decision.reason.as_deref(), Some("no hook named \"b\" is loaded"));
        assert_eq!((decision.hook, decision.runs.len()), (None, 0));
        assert_eq!(decision.output, decision.input);
    }
}

#[test]
fn a_hook_asked_where_it_is_not_bound_does_not_run() {
    let engine = ScriptedHook::replying(json!({ "action": "block" }));
    let hooks = vec![hook("a", json!({ "points": ["preInput"] }), &engine)];
    let decision = decide(hooks, call(&Point::PreOutput).only_hook("a"));
    assert_eq!((decision.action, decision.runs.len()), (Action::Allow, 0));
}

#[test]
fn hooks_can_be_found_by_name() {
    let chain = Chain::new(vec![allows("a"), allows("b")], BTreeMap::new(), None);
    assert_eq!(chain.find("b").map(|hook| hook.name.as_str()), Some("b"));
    assert!(chain.find("c").is_none());
    assert_eq!(chain.hooks().len(), 2);
}
