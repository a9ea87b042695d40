//! When a field equals a value: the one answer that every store gives.
//!
//! A store that asks a database may have it leave out rows that cannot fit. Which of the others fit is decided here.

use hookhost_contract::{JsonObject, Row};
use serde_json::{Number, Value};

/// Whether every field of `filter` is in the row and equals what the filter says.
///
/// A field that is not there equals nothing, `null` included.
pub(crate) fn fits(row: &Row, filter: &JsonObject) -> bool {
    filter.iter().all(|(field, value)| row.get(field).is_some_and(|held| equal(held, value)))
}

/// JSON equality, in which numbers are equal when their values are: 1 and 1.0. Keys may come in any order.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => equal_numbers(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => a.len() == b.len() && fits(a, b),
        _ => a == b,
    }
}

fn equal_numbers(a: &Number, b: &Number) -> bool {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => a == b,
            // Beyond a double: only where some crate keeps all digits of a number, and then as their text.
            _ => a == b,
        },
        _ => false,
    }
}

/// The value of a number without a fraction, however it is written.
pub(crate) fn whole(number: &Number) -> Option<i128> {
    // 2^127: below it every whole double is an `i128`.
    const BEYOND: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    if let Some(integer) = number.as_i64() {
        return Some(integer.into());
    }
    if let Some(integer) = number.as_u64() {
        return Some(integer.into());
    }
    let double = number.as_f64()?;
    (double.fract() == 0.0 && double.abs() < BEYOND).then_some(double as i128)
}

/// An integer that means the same in every reader of JSON: up to 2^53, where doubles begin to have gaps.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn exact(number: &Number) -> Option<i64> {
    whole(number).filter(|whole| whole.unsigned_abs() <= 1 << 53).and_then(|whole| whole.try_into().ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_compared_by_value() {
        for (a, b) in [
            (json!(1), json!(1.0)),
            (json!(0), json!(-0.0)),
            (json!(u64::MAX), json!(u64::MAX)),
            (json!(9_007_199_254_740_992_i64), json!(9_007_199_254_740_992.0)),
            (json!(1e300), json!(1e300)),
            (json!({ "a": [1, { "b": 2 }] }), json!({ "a": [1.0, { "b": 2.0 }] })),
        ] {
            assert!(equal(&a, &b) && equal(&b, &a), "{a} {b}");
        }
        for (a, b) in [
            (json!(1), json!(1.5)),
            (json!(1), json!("1")),
            (json!(1), json!(true)),
            (json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992.0)),
            (json!(u64::MAX), json!(-1)),
            (json!([1]), json!([1, 2])),
            (json!({ "a": 1 }), json!({ "a": 1, "b": null })),
        ] {
            assert!(!equal(&a, &b) && !equal(&b, &a), "{a} {b}");
        }
    }

    #[test]
    fn a_field_that_is_absent_equals_nothing() {
        let fits = |row: Value, filter: Value| fits(row.as_object().unwrap(), filter.as_object().unwrap());
        assert!(fits(json!({ "a": null }), json!({ "a": null })));
        assert!(!fits(json!({}), json!({ "a": null })));
        assert!(!fits(json!({ "a": { "b": 1 } }), json!({ "a": {} })));
        assert!(fits(json!({ "b": 2, "a": 1 }), json!({ "a": 1 })));
        assert!(fits(json!({ "a": 1 }), json!({})));
    }
}
