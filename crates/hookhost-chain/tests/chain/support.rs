//! Hooks, calls and chains in a line each.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use hookhost_chain::testing::ScriptedHook;
use hookhost_chain::{Chain, ChainHook};
use hookhost_contract::{Call, Decision, HookRun, JsonObject, Manifest, Point};
use serde_json::{Value, json};

/// The four points at which a decision has an effect.
pub(crate) const GUARDED: [Point; 4] = [Point::PreInput, Point::PreToolUse, Point::PostToolUse, Point::PreOutput];

/// All five points of a turn.
pub(crate) const TURN: [Point; 5] =
    [Point::PreInput, Point::PreToolUse, Point::PostToolUse, Point::PreOutput, Point::PostTurn];

/// A typical call at a point.
pub(crate) fn call(point: &Point) -> Call {
    match point {
        Point::PreInput => Call::pre_input("hello"),
        Point::PreToolUse => Call::pre_tool_use("shell", json!({ "command": "ls" })),
        Point::PostToolUse => Call::post_tool_use("shell", json!({ "command": "ls" }), json!("a b"), false),
        Point::PreOutput => Call::pre_output("bye"),
        Point::PostTurn => Call::post_turn("bye", json!([]), json!({ "tokens": 3 })),
        Point::Event(_) => Call::new(point.clone(), fields(json!({ "tool": "shell", "n": 1 }))),
    }
}

/// A value that a hook may put into a point's mutable field.
pub(crate) fn new_value(point: &Point) -> Value {
    match point {
        Point::PreToolUse => json!({ "command": "pwd" }),
        _ => json!("rewritten"),
    }
}

/// A hook with the rest of its manifest. Points that the manifest does not name: all of a turn.
pub(crate) fn hook(name: &str, manifest: Value, engine: &Arc<ScriptedHook>) -> ChainHook {
    let mut manifest = fields(manifest);
    manifest.entry("points").or_insert(json!(Point::NAMES));
    let manifest: Manifest = serde_json::from_value(Value::Object(manifest)).unwrap();
    ChainHook::new(name, &manifest, None, Duration::from_millis(1500), engine.clone()).unwrap()
}

/// A hook that is bound to every point and always answers the same.
pub(crate) fn answers(name: &str, reply: Value) -> ChainHook {
    hook(name, json!({}), &ScriptedHook::replying(reply))
}

pub(crate) fn allows(name: &str) -> ChainHook {
    answers(name, json!({ "action": "allow" }))
}

pub(crate) fn blocks(name: &str, reason: &str) -> ChainHook {
    answers(name, json!({ "action": "block", "reason": reason }))
}

pub(crate) fn asks(name: &str, reason: &str) -> ChainHook {
    answers(name, json!({ "action": "ask", "reason": reason }))
}

pub(crate) fn modifies(name: &str, payload: Value) -> ChainHook {
    answers(name, json!({ "action": "modify", "payload": payload }))
}

pub(crate) fn injects(name: &str, content: &str) -> ChainHook {
    answers(name, json!({ "action": "inject_context", "context_injection": content }))
}

pub(crate) fn decide(hooks: Vec<ChainHook>, call: Call) -> Decision {
    block_on(Chain::new(hooks, BTreeMap::new(), None).decide(call))
}

/// The record of the only hook that ran.
pub(crate) fn only_run(decision: &Decision) -> &HookRun {
    assert_eq!(decision.runs.len(), 1, "{decision:?}");
    &decision.runs[0]
}

/// The hooks that ran, in order.
pub(crate) fn ran(decision: &Decision) -> Vec<&str> {
    decision.runs.iter().map(|run| run.hook.as_str()).collect()
}

pub(crate) fn fields(value: Value) -> JsonObject {
    match value {
        Value::Object(fields) => fields,
        other => panic!("not an object: {other}"),
    }
}
