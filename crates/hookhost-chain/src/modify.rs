//! What a `modify` may change.

use hookhost_contract::{InvalidReply, JsonObject, Point};
use serde_json::Value;

/// What is left of a `modify` once the point's rule is applied to it.
#[derive(Debug, PartialEq)]
pub(crate) struct Rewrite {
    /// The fields that change, with their new values.
    pub(crate) changes: JsonObject,
    /// The fields that the hook would have changed as well, and may not.
    pub(crate) dropped: Vec<String>,
}

/// Compares a `modify` with the current payload. At a point of a turn one field may change, and only into something
/// that the loop can use; data of an event may change in any field. A field with the value it had is no change.
pub(crate) fn apply_modify(point: &Point, current: &JsonObject, reply: JsonObject) -> Result<Rewrite, InvalidReply> {
    let mut rewrite = Rewrite { changes: JsonObject::new(), dropped: Vec::new() };
    for (key, value) in reply {
        let before = current.get(&key);
        if before.is_some_and(|before| same(before, &value)) {
            continue;
        }
        if point.is_event() || point.mutable_field() == Some(key.as_str()) {
            check_usable(point, before, &value)?;
            rewrite.changes.insert(key, value);
        } else {
            rewrite.dropped.push(key);
        }
    }
    Ok(rewrite)
}

/// The loop shows and stores `text`, and calls a tool with named arguments: it could do nothing with another type, and
/// would have to choose between failing and ignoring the hook.
fn check_usable(point: &Point, before: Option<&Value>, value: &Value) -> Result<(), InvalidReply> {
    match point {
        Point::PreInput | Point::PreOutput if !value.is_string() => {
            Err(InvalidReply::unusable_field("text", value, "a string"))
        }
        Point::PreToolUse if before.is_some_and(Value::is_object) && !value.is_object() => {
            Err(InvalidReply::unusable_field("args", value, "an object, as the arguments were"))
        }
        _ => Ok(()),
    }
}

/// Whether two values are the same to JavaScript. A hook that hands a payload back untouched returns `1.0` as `1` and
/// integers beyond 2^53 rounded: that is no change, and the payload keeps the numbers it came with.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64().is_some_and(|a| b.as_f64() == Some(a)),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => same_fields(a, b),
        _ => a == b,
    }
}

/// [`same`], for objects.
pub(crate) fn same_fields(a: &JsonObject, b: &JsonObject) -> bool {
    a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(value: Value) -> JsonObject {
        value.as_object().cloned().unwrap()
    }

    fn apply(point: &str, current: Value, reply: Value) -> Result<Rewrite, String> {
        apply_modify(&point.parse().unwrap(), &fields(current), fields(reply)).map_err(|error| error.to_string())
    }

    fn rewrite(changes: Value, dropped: &[&str]) -> Result<Rewrite, String> {
        Ok(Rewrite { changes: fields(changes), dropped: dropped.iter().map(|&key| key.to_owned()).collect() })
    }

    #[test]
    fn each_point_has_its_field() {
        for (point, field, value) in [
            ("preInput", "text", json!("new")),
            ("preOutput", "text", json!("")),
            ("preToolUse", "args", json!({"a": 2})),
            ("postToolUse", "result", json!(null)),
        ] {
            let current = json!({"text": "t", "args": {"a": 1}, "result": [1], "toolName": "x"});
            let mut reply = json!({"toolName": "y"});
            reply[field] = value.clone();
            assert_eq!(apply(point, current, reply), rewrite(json!({field: value}), &["toolName"]), "{point}");
        }
    }

    #[test]
    fn after_the_turn_nothing_changes() {
        let current = json!({"text": "t", "usage": 1});
        assert_eq!(apply("postTurn", current, json!({"text": "x", "usage": 1})), rewrite(json!({}), &["text"]));
    }

    #[test]
    fn an_event_may_change_in_any_field() {
        let current = json!({"tool": "a", "keep": 1});
        assert_eq!(
            apply("tool:pre", current, json!({"tool": 7, "more": null})),
            rewrite(json!({"tool": 7, "more": null}), &[])
        );
    }

    #[test]
    fn what_the_loop_cannot_use_is_refused() {
        for point in ["preInput", "preOutput"] {
            assert_eq!(
                apply(point, json!({"text": "t"}), json!({"text": ["x"]})),
                Err("the reply is a modify, but its `payload.text` is a list: write a string".to_owned())
            );
        }
        assert_eq!(
            apply("preToolUse", json!({"args": {}}), json!({"args": "x"})),
            Err("the reply is a modify, but its `payload.args` is a string: write an object, as the arguments were"
                .to_owned())
        );
        // Arguments that were no object may become anything.
        assert_eq!(
            apply("preToolUse", json!({"args": "x"}), json!({"args": ["y"]})),
            rewrite(json!({"args": ["y"]}), &[])
        );
        // A value that was odd to begin with and stays is no change.
        assert_eq!(apply("preInput", json!({"text": null}), json!({"text": null})), rewrite(json!({}), &[]));
    }

    #[test]
    fn the_way_through_javascript_is_no_change() {
        let current = json!({"args": {"n": 1.0, "id": 9_007_199_254_740_993_u64, "z": -0.0, "o": {"a": 1, "b": 2}}});
        let echoed = json!({"args": {"o": {"b": 2, "a": 1}, "z": 0, "id": 9_007_199_254_740_992_u64, "n": 1}});
        assert_eq!(apply("preToolUse", current, echoed), rewrite(json!({}), &[]));
    }

    #[test]
    fn a_fraction_that_is_read_back_is_the_same() {
        // Some doubles come back as their neighbour from a reader that is content with nearly right.
        let mut bits = 0x3FF0_0000_0000_0000_u64;
        for _ in 0..1000 {
            bits += 0x0000_0C0F_FEE1_2345;
            let number = f64::from_bits(bits);
            let read: Value = serde_json::from_str(&number.to_string()).unwrap();
            assert!(same(&json!(number), &read), "{number}");
        }
    }

    #[test]
    fn a_field_added_or_left_out_inside_a_value_is_a_change() {
        for (before, after) in [
            (json!({"a": 1}), json!({})),
            (json!({}), json!({"a": null})),
            (json!({"a": 1}), json!({"b": 1})),
            (json!({"a": [1]}), json!({"a": [1, 2]})),
            (json!({"a": 1}), json!({"a": "1"})),
            (json!({"a": 0}), json!({"a": false})),
        ] {
            assert!(!same(&before, &after), "{before} {after}");
            assert!(!same(&after, &before), "{after} {before}");
        }
    }
}
