//! What holds for every chain and every reply.

use hookhost_chain::ChainHook;
use hookhost_chain::testing::ScriptedHook;
use hookhost_contract::{Action, Call, Decision, FailPolicy, JsonObject, Mode, Point, Reply, parse_json};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::support::*;

/// Keys that mean something somewhere, and some that do not.
const KEYS: &[&str] =
    &["action", "payload", "data", "reason", "text", "args", "result", "toolName", "source", "channels", "usage", "x"];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        select(vec!["allow", "block", "modify", "ask", "inject_context", "chat", "hello"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![vec(inner.clone(), 0..4).prop_map(Value::from), vec((select(KEYS), inner), 0..4).prop_map(object),]
    })
}

fn object(fields: Vec<(&str, Value)>) -> Value {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<JsonObject>().into()
}

/// Replies that are often understood, and often nearly.
fn any_reply() -> impl Strategy<Value = Value> {
    let action =
        select(vec!["allow", "continue", "block", "deny", "modify", "ask", "ask_user", "inject_context", "Allow", ""]);
    let fields = || vec((select(KEYS), any_json()), 0..5);
    let shaped = (action, fields(), fields()).prop_map(|(action, payload, more)| {
        let mut reply = json!({ "payload": object(payload), "context_injection": "look" });
        for (key, value) in more {
            reply[key] = value;
        }
        reply["action"] = action.into();
        reply
    });
    prop_oneof![4 => shaped, 1 => any_json()]
}

fn any_point() -> impl Strategy<Value = Point> {
    prop_oneof![
        5 => select(TURN.to_vec()),
        1 => Just(Point::Event("tool:pre".into())),
    ]
}

/// A call with fields that the points do not know, and with odd values in those that they do.
fn any_call(point: Point) -> impl Strategy<Value = Call> {
    vec((select(KEYS), any_json()), 0..3).prop_map(move |more| {
        let mut call = call(&point);
        for (key, value) in more {
            call.payload.insert(key.to_owned(), value);
        }
        call
    })
}

fn any_policy() -> impl Strategy<Value = Option<FailPolicy>> {
    option::of(select(FailPolicy::ALL))
}

/// A hook bound to every point and to the one event.
fn bound(name: &str, reply: &Value, fail_policy: Option<FailPolicy>, mode: Mode) -> ChainHook {
    let mut points = TURN.to_vec();
    points.push(Point::Event("tool:pre".into()));
    ChainHook { points, fail_policy, mode, ..hook(name, json!({}), &ScriptedHook::replying(reply.clone())) }
}

fn any_hooks() -> impl Strategy<Value = Vec<ChainHook>> {
    let mode = prop_oneof![3 => Just(Mode::Enforce), 1 => Just(Mode::Observe)];
    vec((any_reply(), any_policy(), mode), 0..5).prop_map(|hooks| {
        let named = hooks.iter().enumerate();
        named.map(|(i, (reply, policy, mode))| bound(&format!("h{i}"), reply, *policy, *mode)).collect()
    })
}

fn any_case() -> impl Strategy<Value = (Call, Vec<ChainHook>)> {
    (any_point().prop_flat_map(any_call), any_hooks())
}

/// The records whose answers had an effect.
fn effective(decision: &Decision) -> Vec<Action> {
    let counted = decision.runs.iter().filter(|run| run.mode == Mode::Enforce && decision.point != Point::PostTurn);
    counted
        .map(|run| match run.action {
            Action::Modify if !run.changed => Action::Allow,
            action => action,
        })
        .collect()
}

/// One of the five answers, and what it is.
fn plain_answer() -> impl Strategy<Value = (Action, Value)> {
    select(vec![
        (Action::Allow, json!({ "action": "allow" })),
        (Action::Modify, json!({ "action": "modify", "payload": { "text": "x" } })),
        (Action::Inject, json!({ "action": "inject_context", "context_injection": "look" })),
        (Action::Ask, json!({ "action": "ask" })),
        (Action::Block, json!({ "action": "block" })),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The strongest answer wins, a block wherever it stands, and the first of equals leads.
    #[test]
    fn the_strongest_answer_wins(plain in vec(plain_answer(), 0..6)) {
        let hooks = plain.iter().enumerate();
        let hooks = hooks.map(|(i, (_, reply))| answers(&i.to_string(), reply.clone())).collect();
        let decision = decide(hooks, call(&Point::PreInput));
        let strongest = plain.iter().map(|(action, _)| *action).max().unwrap_or(Action::Allow);
        prop_assert_eq!(decision.action, strongest);
        let leader = plain.iter().position(|(action, _)| *action == strongest);
        let leader = leader.filter(|_| strongest != Action::Allow).map(|i| i.to_string());
        prop_assert_eq!(decision.hook, leader);
        let asked = plain.iter().position(|(action, _)| *action == Action::Block).map_or(plain.len(), |i| i + 1);
        prop_assert_eq!(decision.runs.len(), asked);
    }

    /// The decision follows from the records: nothing else decides, and a block is always the last word.
    #[test]
    fn the_decision_follows_from_the_records((call, hooks) in any_case()) {
        let decision = decide(hooks, call);
        let effective = effective(&decision);
        let mut strongest = effective.iter().copied().max().unwrap_or(Action::Allow);
        if strongest == Action::Modify && decision.output == decision.input {
            strongest = Action::Allow;
        }
        prop_assert_eq!(decision.action, strongest);
        let first_block = effective.iter().position(|action| *action == Action::Block);
        prop_assert!(first_block.is_none_or(|at| at + 1 == effective.len()));
        prop_assert_eq!(decision.action == Action::Block, first_block.is_some());
        prop_assert_eq!(decision.hook.is_some(), decision.action != Action::Allow);
        prop_assert_eq!(decision.reason.is_some(), decision.action >= Action::Ask);
        prop_assert_eq!(decision.approval.is_some(), decision.action == Action::Ask);
    }

    /// At a point of a turn nothing but its own field ever changes, and only into something that the loop can use.
    #[test]
    fn no_hook_changes_what_it_may_not((call, hooks) in any_case()) {
        prop_assume!(!call.point.is_event());
        let input = call.payload.clone();
        let mut decision = decide(hooks, call);
        prop_assert_eq!(&decision.input, &input);
        let changed = decision.output != input;
        if let Some(field) = decision.point.mutable_field() && changed {
            let value = decision.output[field].clone();
            match decision.point {
                Point::PreInput | Point::PreOutput => prop_assert!(value.is_string()),
                Point::PreToolUse => prop_assert!(value.is_object() || !input["args"].is_object()),
                _ => {}
            }
            decision.output.shift_remove(field);
            let mut input = input;
            input.shift_remove(field);
            prop_assert_eq!(&decision.output, &input);
        } else {
            prop_assert_eq!(&decision.output, &input);
        }
        // A call that just goes on is a modify if, and only if, its payload is another one.
        if decision.action <= Action::Modify {
            prop_assert_eq!(decision.action == Action::Modify, changed);
        }
    }

    /// Hooks that allow are as good as none.
    #[test]
    fn allows_change_nothing(call in any_point().prop_flat_map(any_call), count in 0_usize..6) {
        let input = call.payload.clone();
        let hooks = (0..count).map(|i| {
            bound(&i.to_string(), &json!({ "action": "allow", "payload": { "text": "x" } }), None, Mode::Enforce)
        });
        let decision = decide(hooks.collect(), call);
        prop_assert_eq!(decision.action, Action::Allow);
        prop_assert_eq!(&decision.output, &input);
        prop_assert_eq!(decision.runs.len(), count);
    }

    /// Under a closed policy a reply is understood, or it blocks: it is never taken for an allow.
    #[test]
    fn closed_means_closed(reply in any_reply(), point in select(GUARDED.to_vec())) {
        let hook = bound("h", &reply, Some(FailPolicy::Closed), Mode::Enforce);
        let decision = decide(vec![hook], call(&point));
        let run = only_run(&decision);
        match Reply::parse(&reply) {
            Ok(parsed) if run.failure.is_none() => prop_assert_eq!(run.action, parsed.decision.action()),
            // Understood, and still of no use: a modify into a value that the loop cannot take.
            Ok(parsed) => {
                prop_assert_eq!(parsed.decision.action(), Action::Modify);
                prop_assert_eq!(decision.action, Action::Block);
            }
            Err(_) => {
                prop_assert!(run.failure.is_some());
                prop_assert_eq!(decision.action, Action::Block);
            }
        }
    }

    /// Text that is no JSON at all, and JSON that is cut off, never pass as an answer.
    #[test]
    fn broken_text_is_a_failure(reply in any_reply(), cut in 0.0..1.0_f64, noise in "\\PC{0,20}") {
        let whole = reply.to_string();
        let mut end = (whole.len() as f64 * cut) as usize;
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        for text in [&whole[..end], &noise] {
            if parse_json(text).is_ok_and(|value| Reply::parse(&value).is_ok()) {
                continue;
            }
            let hook = hook("h", json!({}), &ScriptedHook::replying_text(text));
            prop_assert_eq!(decide(vec![hook], call(&Point::PreInput)).action, Action::Block);
        }
    }
}
