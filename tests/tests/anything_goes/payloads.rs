//! What goes in is what the hook sees, and what it hands back is what comes out.

use hookhost::{Action, Call, Decision, FailureCause, JsonObject, Point};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::support::check;

/// How many objects and lists may be inside each other in text that serde_json reads.
const READABLE: usize = 127;

/// Keys that mean something to JavaScript or to the host, and texts that are easily garbled.
const TEXTS: &[&str] = &[
    "",
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "toJSON",
    "then",
    "action",
    "payload",
    "args",
    "length",
    "0",
    "-1",
    "4294967295",
    "\0",
    "a\0b",
    "\\ud800",
    "\\u0000",
    "\u{7f}\u{80}",
    "\u{2028}\u{2029}",
    "\u{feff}",
    "\u{fffd}\u{ffff}",
    "\u{10ffff}",
    "e\u{301}",
    "\"\\/\u{8}\u{c}\n\r\t",
    "</script>",
];

/// Numbers at the edges of what a double can be.
const FLOATS: &[f64] =
    &[0.0, -0.0, 5e-324, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 0.1 + 0.2, 1e21, 1e-7, 123_456_789.125];

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![select(TEXTS).prop_map(str::to_owned), ".{0,12}", any::<String>()]
}

fn any_number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        // Every bit pattern that is a number; JSON has none for the others.
        any::<u64>().prop_map(|bits| Value::from(f64::from_bits(bits))),
        select(FLOATS).prop_map(Value::from),
        select(vec![i64::MIN, i64::MAX, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1]).prop_map(Value::from),
    ]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any_number(),
        any_text().prop_map(Value::from),
    ];
    let wide = leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            vec((any_text(), inner), 0..6).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    });
    // Up to the depth that serde_json reads, and a little beyond.
    let deep = (wide.clone(), vec(any::<bool>(), 100..=READABLE + 5)).prop_map(|(inner, levels)| {
        levels.into_iter().fold(inner, |inner, list| if list { json!([inner]) } else { json!({ "__proto__": inner }) })
    });
    prop_oneof![6 => wide, 1 => deep]
}

/// How many objects and lists are inside each other.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Whether JavaScript cannot tell the two apart: it has doubles only, and keys in an order of its own.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// A payload of a point, with fields that the point does not know.
fn any_call() -> impl Strategy<Value = Call> {
    let known = prop_oneof![
        any_text().prop_map(|text| (Point::PreInput, "text", Value::from(text))),
        any_text().prop_map(|text| (Point::PreOutput, "text", Value::from(text))),
        any_json().prop_map(|args| (Point::PreToolUse, "args", args)),
        any_json().prop_map(|result| (Point::PostToolUse, "result", result)),
    ];
    (known, vec((any_text(), any_json()), 0..3)).prop_map(|((point, field, value), others)| {
        let mut payload: JsonObject = others.into_iter().collect();
        payload.insert(field.to_owned(), value);
        Call::new(point, payload)
    })
}

fn field(call: &Call) -> &'static str {
    call.point.mutable_field().unwrap()
}

/// The decision of the one hook that was asked; its failure is a failure of the test.
fn unfailing(decision: &Decision) -> Result<(), TestCaseError> {
    let [run] = &decision.runs[..] else { return Err(TestCaseError::fail("one hook was asked")) };
    prop_assert_eq!(&run.failure, &None);
    prop_assert!(run.dropped.is_empty(), "{:?}", run.dropped);
    Ok(())
}

#[test]
fn a_hook_sees_what_goes_in_and_handing_it_back_changes_nothing() {
    check(&any_call(), |host, call| {
        let input = call.payload.clone();
        // The reply has the payload in it.
        let readable = depth(&Value::Object(input.clone())) < READABLE;
        let decision = host.decide(call.only_hook("echo"));
        let seen = match &decision.logs[..] {
            [log] => &log.message,
            logs => return Err(TestCaseError::fail(format!("one line was logged: {logs:?}"))),
        };
        if depth(&Value::Object(input.clone())) <= READABLE {
            let seen: Value = serde_json::from_str(seen).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(same(&seen, &Value::Object(input.clone())), "it saw {}", seen);
        }
        prop_assert_eq!(&decision.output, &input);
        if readable {
            unfailing(&decision)?;
            prop_assert_eq!(decision.action, Action::Allow);
        } else {
            unreadable(&decision)?;
        }
        Ok(())
    });
}

#[test]
fn nothing_is_lost_in_a_field_that_a_hook_changes() {
    check(&any_call(), |host, call| {
        let (input, field) = (call.payload.clone(), field(&call));
        let is_text = field == "text";
        let was = input[field].clone();
        let others = input.iter().filter(|(key, _)| *key != field).map(|(_, value)| depth(value)).max().unwrap_or(0);
        let readable = 2 + others.max(depth(&was) + usize::from(!is_text)) <= READABLE;
        // Arguments that were an object become one; those that were none may become anything.
        let decision = host.decide(call.only_hook("wrap"));
        if !readable {
            return unreadable(&decision);
        }
        unfailing(&decision)?;
        prop_assert_eq!(decision.action, Action::Modify);
        let wanted = match was.as_str().filter(|_| is_text) {
            Some(text) => json!(format!("{text}!")),
            None => json!({ "was": was }),
        };
        prop_assert!(same(&decision.output[field], &wanted), "{}", decision.output[field]);
        // The other fields are the very ones that came in, to the last digit.
        let mut output = decision.output;
        output.insert(field.to_owned(), was);
        prop_assert_eq!(output, input);
        Ok(())
    });
}

/// Too deep to be read back: a failure, which blocks.
fn unreadable(decision: &Decision) -> Result<(), TestCaseError> {
    prop_assert_eq!(decision.action, Action::Block);
    let cause = decision.runs[0].failure.as_ref().map(|failure| failure.cause);
    prop_assert_eq!(cause, Some(FailureCause::InvalidDecision));
    Ok(())
}
